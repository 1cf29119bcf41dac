import type { Floats } from "../../../tensor/index.js";

/**
 * A positive semidefinite kernel matrix under elimination, in the form K_ij = ω_i A_ij ω_j with A of unit diagonal:
 * A ≈ F Fᵀ after `rank` pivots, the residual is A − F Fᵀ, and `diagonal` is its diagonal. The diagonal of the
 * residual of K itself is `weights` · `diagonal`, up to one common factor.
 */
export interface Residual {
  readonly single: boolean;
  readonly rows: number;
  readonly capacity: number;
  /** F by columns: `[capacity, rows]`; columns from `rank` on are scratch. */
  readonly factor: Floats;
  readonly diagonal: Floats;
  /** ω_i² relative to the largest one in play. */
  readonly weights: Float64Array;
  /** log ω_i² of each row. */
  readonly logWeights: Float64Array;
  /** Diagonal entries at or below this are rounding dust. */
  readonly tolerance: number;
  rank: number;
}

/** Arrays that a residual may use instead of allocating its own. */
export interface ResidualBuffers {
  readonly factor: Floats;
  readonly diagonal: Floats;
  readonly weights: Float64Array;
}

/**
 * The residual before the first pivot: unit diagonal in the rows that are present, 0 in the others, which therefore
 * are never pivots. `logWeights` holds log K_ii, that is |x_i|² for the exponential kernel.
 */
export function startResidual(
  setup: {
    readonly single: boolean;
    readonly capacity: number;
    readonly present: Uint8Array;
    readonly logWeights: Float64Array;
    readonly tolerance: number;
  },
  buffers?: ResidualBuffers,
): Residual {
  const { single, capacity, present, logWeights, tolerance } = setup;
  const rows = present.length;
  const floats = (size: number): Floats => (single ? new Float32Array(size) : new Float64Array(size));
  const diagonal = buffers?.diagonal ?? floats(rows);
  for (let i = 0; i < rows; i++) diagonal[i] = present[i]!;
  return {
    single,
    rows,
    capacity,
    factor: buffers?.factor ?? floats(capacity * rows),
    diagonal,
    weights: buffers?.weights ?? new Float64Array(rows),
    logWeights,
    tolerance,
    rank: 0,
  };
}

/** A copy that can be eliminated further without touching the original. */
export function copyResidual(residual: Residual): Residual {
  return {
    ...residual,
    factor: residual.factor.slice(),
    diagonal: residual.diagonal.slice(),
    weights: residual.weights.slice(),
  };
}

/**
 * One step of pivoted Cholesky at row s: g = A[:,s] − F F[s,:]ᵀ, f = g/√g_s, F ← [F f], d ← max(d − f², 0),
 * d_s = 0. `column` is A[:,s]. A g_s at or below the tolerance is rejected: only d_s becomes 0, and the answer is
 * false.
 */
export function eliminate(residual: Residual, pivot: number, column: Floats): boolean {
  const { single, rows, factor, diagonal, rank } = residual;
  const at = rank * rows;
  for (let i = 0; i < rows; i++) factor[at + i] = column[i]!;
  for (let t = 0; t < rank; t++) {
    const from = t * rows;
    const scale = factor[from + pivot]!;
    for (let i = 0; i < rows; i++) {
      const product = single ? Math.fround(factor[from + i]! * scale) : factor[from + i]! * scale;
      factor[at + i] = factor[at + i]! - product;
    }
  }
  const pivotValue = factor[at + pivot]!;
  if (!(pivotValue > residual.tolerance)) {
    diagonal[pivot] = 0;
    return false;
  }
  const root = single ? Math.fround(Math.sqrt(pivotValue)) : Math.sqrt(pivotValue);
  for (let i = 0; i < rows; i++) {
    const f = single ? Math.fround(factor[at + i]! / root) : factor[at + i]! / root;
    factor[at + i] = f;
    const left = diagonal[i]! - (single ? Math.fround(f * f) : f * f);
    diagonal[i] = left > 0 ? left : 0;
  }
  diagonal[pivot] = 0;
  residual.rank = rank + 1;
  return true;
}
