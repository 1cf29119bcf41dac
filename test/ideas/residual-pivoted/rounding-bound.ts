/** Factors of a residual, `[rank, rows]`. */
interface Factors {
  readonly factor: ArrayLike<number>;
  readonly rows: number;
  readonly rank: number;
  readonly single: boolean;
}

/**
 * What rounding may leave of the residual in the column of the pivot that was kept as number `order`, row by row. An entry
 * of a residual is a difference of rank + 1 products, none above the largest diagonal entry of A. The entry of the pivot in a
 * later residual is 0 but for that; divided by the root of the later pivot's value it stands in a factor, and comes
 * back times the factor's other entries: for a later pivot that was nearly used up, much larger than it was.
 */
export function roundingBound(
  { factor, rows, rank, single }: Factors,
  kept: Int32Array,
  order: number,
  largest: number,
): Float64Array {
  const each = 2 * (rank + 1) * (single ? 2 ** -24 : 2 ** -53) * largest;
  const at = (t: number, row: number): number => Math.abs(factor[t * rows + row]!);
  const left: number[] = [];
  for (let t = order + 1; t < rank; t++) {
    const carried = left.reduce((sum, entry, k) => sum + entry * at(order + 1 + k, kept[t]!), each);
    left.push(carried / at(t, kept[t]!));
  }
  return Float64Array.from({ length: rows }, (_, i) =>
    left.reduce((sum, entry, k) => sum + entry * at(order + 1 + k, i), each),
  );
}
