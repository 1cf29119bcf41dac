import type { Floats } from "../../../tensor/index.js";

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
