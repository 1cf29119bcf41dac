import type { ProblemTape } from "./tape.js";

/** Fills `lower` with L, L Lᵀ = A[S,S], read off the pivots' rows of the factor. */
export function readLower(tape: ProblemTape, rank: number): void {
  const { capacity, factor, lower, pivots, points } = tape;
  const rows = points.present.length;
  for (let s = 0; s < rank; s++) {
    for (let t = 0; t <= s; t++) lower[s * capacity + t] = factor[t * rows + pivots[s]!]!;
  }
}

/**
 * Replaces `lower` by L with L Lᵀ = A[S,S] + ridge·I, and the factor by A[:,S] L⁻ᵀ, so that F Fᵀ is the
 * approximation A[:,S] (A[S,S] + ridge·I)⁻¹ A[S,:].
 */
export function refactorWithRidge(tape: ProblemTape, rank: number, ridge: number): void {
  const { single, capacity, columns, factor, lower, pivots, points } = tape;
  const rows = points.present.length;
  for (let t = 0; t < rank; t++) {
    const at = t * rows;
    for (let i = 0; i < rows; i++) factor[at + i] = columns[at + i]!;
    for (let u = 0; u < t; u++) {
      const scale = lower[t * capacity + u]!;
      for (let i = 0; i < rows; i++) {
        const product = single ? Math.fround(factor[u * rows + i]! * scale) : factor[u * rows + i]! * scale;
        factor[at + i] = factor[at + i]! - product;
      }
    }
    const square = factor[at + pivots[t]!]! + ridge;
    const root = single ? Math.fround(Math.sqrt(Math.fround(square))) : Math.sqrt(square);
    for (let i = 0; i < rows; i++) factor[at + i] = factor[at + i]! / root;
    lower[t * capacity + t] = root;
    for (let s = t + 1; s < rank; s++) lower[s * capacity + t] = factor[at + pivots[s]!]!;
  }
}
