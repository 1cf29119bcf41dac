import type { ModelChange } from "../../ideas/index.js";
import { Module } from "../../nn/index.js";

/** The modules that a change brings along, as one part of a model. */
class ChangeModules extends Module {
  readonly #named: Readonly<Record<string, Module>>;

  constructor(named: Readonly<Record<string, Module>>) {
    super();
    this.#named = named;
  }

  protected override members(): Iterable<readonly [name: string, value: unknown]> {
    return Object.entries(this.#named);
  }
}

/** What a change learns as a part of its model; undefined when it learns nothing. */
export function changeModules({ modules }: ModelChange): Module | undefined {
  return modules && Object.keys(modules).length > 0 ? new ChangeModules(modules) : undefined;
}
