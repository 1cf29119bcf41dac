import { dot, normalise } from "../tensor/linalg/vectors.js";

/** Orthogonal to rounding after the second pass ("twice is enough", W. Kahan). */
const passes = 2;

/**
 * Makes linearly independent rows orthonormal, in place and in their order: modified Gram–Schmidt, done twice, so
 * that row k stays a combination of rows 0 … k with a positive share of its own. Returns the least share of a row's
 * length that the earlier rows left of it: near 0, the rows were dependent and the result means little.
 *
 * Shapes: x `[count, length]`.
 */
export function orthonormalRows(x: Float64Array, count: number, length: number): number {
  let leastShare = 1;
  for (let k = 0; k < count; k++) {
    const row = k * length;
    const before = Math.sqrt(dot(x, row, x, row, length, false));
    for (let pass = 0; pass < passes; pass++) {
      for (let other = 0; other < row; other += length) {
        const along = dot(x, row, x, other, length, false);
        for (let i = 0; i < length; i++) x[row + i] = x[row + i]! - along * x[other + i]!;
      }
      const norm = normalise(x, row, length, false);
      if (pass === 0) leastShare = Math.min(leastShare, norm / before);
    }
  }
  return leastShare;
}
