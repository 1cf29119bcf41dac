import { expect } from "vitest";
import { Tensor } from "../../src/autograd/index.js";
import type { Nested } from "../../src/tensor/index.js";

/** A number or nested lists of them (truth values in masks). */
export type Numbers = Nested;

const flat = (x: Tensor | Numbers): number[] => {
  const nested: unknown = x instanceof Tensor ? x.toArray() : x;
  return Array.isArray(nested) ? nested.flatMap((part) => flat(part as Numbers)) : [Number(nested)];
};

/** Every entry within `tolerance` of the expected one, relative to max(1, |largest expected|); NaN only where expected. */
export function expectNear(
  actual: Tensor | Numbers,
  expected: Tensor | Numbers,
  tolerance: number,
  what = "",
): void {
  const found = flat(actual);
  const wanted = flat(expected);
  expect(found.length, what).toBe(wanted.length);
  const size = Math.max(1, ...wanted.map(Math.abs).filter(Number.isFinite));
  found.forEach((value, i) => {
    const same = Object.is(value, wanted[i]) || Math.abs(value - wanted[i]!) <= tolerance * size;
    if (!same) expect.fail(`${what} entry ${i}: ${value}, expected ${wanted[i]} within ${tolerance * size}`);
  });
}

/** The same shape, type and bits; any NaN equals any NaN, −0 is not 0. */
export function expectSameBits(actual: Tensor, expected: Tensor, what = ""): void {
  expect(actual.shape, what).toEqual(expected.shape);
  expect(actual.dtype, what).toBe(expected.dtype);
  expect(actual.values(), what).toEqual(expected.values());
}
