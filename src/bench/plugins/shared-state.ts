import { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { Module } from "../../nn/index.js";
import { Generator } from "../../random/index.js";

/** What every part of a program shares, by the name under which a person knows it. */
const shared: readonly (readonly [name: string, owner: object])[] = [
  ["Tensor.prototype", Tensor.prototype],
  ["Module.prototype", Module.prototype],
  ["Generator.prototype", Generator.prototype],
  ["Math", Math],
  ["Object.prototype", Object.prototype],
  ["Array.prototype", Array.prototype],
  ["Number.prototype", Number.prototype],
  ["Float32Array.prototype", Float32Array.prototype],
  ["TypedArray.prototype", Object.getPrototypeOf(Float32Array.prototype) as object],
];

/** What stands in the shared objects now. */
export function sharedState(): ReadonlyMap<string, unknown> {
  return new Map(
    shared.flatMap(([name, owner]) =>
      Object.entries(Object.getOwnPropertyDescriptors(owner)).map(
        ([key, { value, get }]) => [`${name}.${key}`, (value ?? get) as unknown] as const,
      ),
    ),
  );
}

/** Throws E_IMPURE naming what a file changed in them, with `by` as the one who did it. */
export function requireSharedState(before: ReadonlyMap<string, unknown>, by: string): void {
  const now = sharedState();
  const names = new Set([...before.keys(), ...now.keys()]);
  const changed = [...names].find((name) => before.get(name) !== now.get(name));
  if (changed !== undefined)
    fail(
      "E_IMPURE",
      `${by} changed ${changed}, which everything in this thread uses, the baseline too. Write a function of your own instead`,
    );
}
