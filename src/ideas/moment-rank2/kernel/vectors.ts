import type { Floats } from "../../../tensor/index.js";

/** Σ_i x[xAt + i]·y[yAt + i] over `length` entries, the terms added one after the other. */
export function dot(x: Floats, xAt: number, y: Floats, yAt: number, length: number, single: boolean): number {
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const product = x[xAt + i]! * y[yAt + i]!;
    sum = single ? Math.fround(sum + Math.fround(product)) : sum + product;
  }
  return sum;
}

/** out[at + i] += factor·x[xAt + i] over `length` entries. */
export function addScaled(
  out: Floats,
  at: number,
  factor: number,
  x: Floats,
  xAt: number,
  length: number,
  single: boolean,
): void {
  for (let i = 0; i < length; i++) {
    const product = factor * x[xAt + i]!;
    out[at + i] = out[at + i]! + (single ? Math.fround(product) : product);
  }
}
