import type { BackwardScratch } from "./backward.js";
import type { ProblemTape } from "./tape.js";

/**
 * Σ_i Â_ij H_i of key j, the transpose of `combineRow`: the column of A of an exact key; of any other F_j of the queries
 * that are not exact, and the entries of A in the rows of those that are.
 */
export function combineKey(tape: ProblemTape, rank: number, j: number, scratch: BackwardScratch): void {
  const { single, size, points, factor, columns, pivots } = tape;
  const { rowCotangents, mixedCotangents, keyCotangent } = scratch;
  const { queries, keys, channels } = size;
  const rows = queries + keys;
  const row = queries + j;
  const wide = channels + 1;
  const add = (scale: number, from: typeof keyCotangent, at: number): void => {
    for (let c = 0; c < wide; c++) {
      const product = scale * from[at * wide + c]!;
      keyCotangent[c] = keyCotangent[c]! + (single ? Math.fround(product) : product);
    }
  };
  keyCotangent.fill(0);
  if (tape.exact[row] === 1) {
    const column = pivots.indexOf(row) * rows;
    for (let i = 0; i < queries; i++) {
      if (points.present[i] === 1) add(columns[column + i]!, rowCotangents, i);
    }
    return;
  }
  for (let t = 0; t < rank; t++) add(factor[t * rows + row]!, mixedCotangents, t);
  for (let t = 0; t < rank; t++) {
    const pivot = pivots[t]!;
    if (pivot < queries && tape.exact[pivot] === 1) add(columns[t * rows + row]!, rowCotangents, pivot);
  }
}
