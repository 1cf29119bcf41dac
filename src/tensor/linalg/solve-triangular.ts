import type { Floats } from "../dtype.js";
import { emptyLike } from "./floats.js";

/** Which triangle of the matrix is read, and whether its transpose is solved with. */
export interface TriangularOptions {
  /** The matrix is upper triangular (its lower part is not read). Default: lower triangular. */
  readonly upper?: boolean;
  /** Solve Tᵀ·X = B instead of T·X = B. */
  readonly transpose?: boolean;
}

/**
 * X with T·X = B (or Tᵀ·X = B) for triangular T, by substitution: forward when T, or its transpose where that is
 * asked for, is lower triangular, else backward. Each x_i starts from b_i, subtracts T_ij·x_j in the order in which
 * the x_j were found, and is divided by T_ii. The other triangle is not read. A zero on the diagonal gives infinities
 * or NaN as division does.
 *
 * Shapes: t `[batch, n, n]`, b `[batch, n, columns]`, result `[batch, n, columns]`.
 */
export function solveTriangular<F extends Floats>(
  t: F,
  b: F,
  batch: number,
  n: number,
  columns: number,
  { upper = false, transpose = false }: TriangularOptions = {},
): F {
  const single = t instanceof Float32Array;
  const x = emptyLike(b, batch * n * columns);
  x.set(b.subarray(0, x.length));
  const forward = upper === transpose;
  const rowStride = transpose ? 1 : n;
  const columnStride = transpose ? n : 1;
  for (let index = 0; index < batch; index++) {
    substitute(
      t,
      x,
      index * n * n,
      index * n * columns,
      n,
      columns,
      forward,
      rowStride,
      columnStride,
      single,
    );
  }
  return x;
}

function substitute(
  t: Floats,
  x: Floats,
  matrix: number,
  right: number,
  n: number,
  columns: number,
  forward: boolean,
  rowStride: number,
  columnStride: number,
  single: boolean,
): void {
  for (let step = 0; step < n; step++) {
    const i = forward ? step : n - 1 - step;
    const target = right + i * columns;
    for (let earlier = 0; earlier < step; earlier++) {
      const j = forward ? earlier : n - 1 - earlier;
      const coefficient = t[matrix + i * rowStride + j * columnStride]!;
      const source = right + j * columns;
      for (let column = 0; column < columns; column++) {
        const product = coefficient * x[source + column]!;
        x[target + column] = x[target + column]! - (single ? Math.fround(product) : product);
      }
    }
    const pivot = t[matrix + i * rowStride + i * columnStride]!;
    for (let column = 0; column < columns; column++) x[target + column] = x[target + column]! / pivot;
  }
}
