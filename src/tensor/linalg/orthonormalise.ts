import { dot, normalise } from "./vectors.js";

/** A projection that leaves less than this of a unit vector has cost it digits, and is made again. */
const enough = 0.9999;
const passes = 4;

/**
 * Makes unit vectors orthonormal, in place and in the given order: each is freed of its components along the earlier
 * ones by modified Gram–Schmidt, normalised, and freed again where much was taken away. A vector that is zero, or of
 * which nothing is left, is replaced by the unit vector that has least in common with the earlier ones, freed of them
 * in the same way: the basis is always complete.
 *
 * `order` holds the indices of the vectors; vector j is the `length` entries from `offset + j·stride`, and there are
 * no more vectors than entries.
 */
export function orthonormalise(
  vectors: Float64Array,
  order: Int32Array,
  offset: number,
  length: number,
  stride: number,
  single: boolean,
): void {
  const starts = order.map((j) => offset + j * stride);
  for (let rank = 0; rank < starts.length; rank++) {
    if (purify(vectors, starts, rank, length, single)) continue;
    const start = starts[rank]!;
    vectors.fill(0, start, start + length);
    vectors[start + leastCovered(vectors, starts, rank, length)] = 1;
    purify(vectors, starts, rank, length, single);
  }
}

/** Frees a unit vector of the earlier ones and returns whether something was left. */
function purify(
  vectors: Float64Array,
  starts: Int32Array,
  rank: number,
  length: number,
  single: boolean,
): boolean {
  const x = starts[rank]!;
  for (let pass = 0; pass < passes; pass++) {
    for (let earlier = 0; earlier < rank; earlier++) {
      const y = starts[earlier]!;
      const along = dot(vectors, x, y, length, single);
      if (single) {
        for (let i = 0; i < length; i++) {
          vectors[x + i] = Math.fround(vectors[x + i]! - Math.fround(along * vectors[y + i]!));
        }
      } else {
        for (let i = 0; i < length; i++) vectors[x + i] = vectors[x + i]! - along * vectors[y + i]!;
      }
    }
    if (normalise(vectors, x, length, single) >= enough) return true;
  }
  return false;
}

/** The coordinate whose unit vector has the least projection on the earlier vectors, the first of equal ones. */
function leastCovered(vectors: Float64Array, starts: Int32Array, rank: number, length: number): number {
  let least = Infinity;
  let coordinate = 0;
  for (let i = 0; i < length; i++) {
    let covered = 0;
    for (let earlier = 0; earlier < rank; earlier++) covered += vectors[starts[earlier]! + i]! ** 2;
    if (covered < least) {
      least = covered;
      coordinate = i;
    }
  }
  return coordinate;
}
