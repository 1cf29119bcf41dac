import fc from "fast-check";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { spectralFactors } from "../../../src/ideas/moment-rank2/kernel/spectral-factors.js";
import { generator } from "../../../src/random/index.js";
import { sizeOf } from "../../../src/tensor/index.js";

/** A seed of random matrices. */
export const seeds = fc.integer({ min: 0, max: 2 ** 31 });

/** The sides of a grid. */
export const sides = fc.record({
  rows: fc.integer({ min: 2, max: 9 }),
  columns: fc.integer({ min: 2, max: 9 }),
});

/** Normal random numbers in float64, another tensor for each name. */
export function normal(seed: number, name: string, shape: readonly number[]): Tensor {
  return tensor(generator(seed).stream(name).normals(sizeOf(shape)), { shape: [...shape] });
}

/** U·diag(spectrum)·Vᵀ with random orthonormal bases, `[1, rows, columns]`; missing singular values are 0. */
export function withSpectrum(
  seed: number,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  spectrum: readonly number[],
): Float64Array {
  const { u, v } = spectralFactors(generator(seed).normals(rows * columns), 1, rows, columns);
  const out = new Float64Array(rows * columns);
  spectrum.forEach((s, t) => {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) out[i * columns + j]! += s * u[t * rows + i]! * v[t * columns + j]!;
    }
  });
  return out;
}

/** max |x_i|, NaN where an entry is NaN. */
export function greatest(x: Tensor | ArrayLike<number>): number {
  const values = "dtype" in x ? x.values() : x;
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}

/** max |x_i − y_i| */
export function distance(x: Tensor, y: Tensor): number {
  return greatest(x.cast("float64").sub(y.cast("float64")));
}

/** Σ x_i y_i */
export function inner(x: Tensor, y: Tensor): number {
  return x.mul(y).sum().item();
}
