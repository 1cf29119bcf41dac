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
    const row = x.subarray(k * length, (k + 1) * length);
    const before = Math.sqrt(dot(row, row));
    for (let pass = 0; pass < passes; pass++) {
      for (let earlier = 0; earlier < k; earlier++) {
        const other = x.subarray(earlier * length, (earlier + 1) * length);
        const along = dot(row, other);
        for (let i = 0; i < length; i++) row[i] = row[i]! - along * other[i]!;
      }
      const norm = Math.sqrt(dot(row, row));
      if (pass === 0) leastShare = Math.min(leastShare, norm / before);
      for (let i = 0; i < length; i++) row[i] = row[i]! / norm;
    }
  }
  return leastShare;
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}
