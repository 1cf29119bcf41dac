import { fail } from "../../errors/index.js";
import type { Tensor } from "../../autograd/index.js";
import { Module, type Layer } from "../module.js";

/** A step of {@link Sequential}: a module, or a function without parameters such as `relu`. */
export type Stage = Layer | ((x: Tensor) => Tensor);

/** The stages one after the other. Parameters are named by position: `0.weight`. */
export class Sequential extends Module {
  readonly #stages: readonly Stage[];

  constructor(stages: readonly Stage[]) {
    super();
    if (
      !Array.isArray(stages) ||
      !Array.from(stages).every((s) => s instanceof Module || typeof s === "function")
    )
      fail("E_VALUE", "Sequential: expected a list of modules and functions");
    this.#stages = [...stages];
  }

  protected override *members(): Iterable<readonly [string, unknown]> {
    for (const [at, stage] of this.#stages.entries()) yield [String(at), stage];
  }

  /** What the first stage takes → what the last one gives. */
  forward(x: Tensor): Tensor {
    return this.#stages.reduce(
      (value, stage) => (stage instanceof Module ? stage.forward(value) : stage(value)),
      x,
    );
  }
}
