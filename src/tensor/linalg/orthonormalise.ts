import { dot, normalise } from "./vectors.js";

/** A projection that leaves less than this of a unit vector has cost it digits, and is made again. */
const enough = 1 - 2 ** -13;
const passes = 4;

/**
 * Makes unit vectors orthonormal, in place and in their order: each is freed of its components along the earlier ones by
 * modified Gram–Schmidt, normalised, and freed again where much was taken away. A vector that is zero, or of which
 * nothing is left, is replaced by the unit vector that has least in common with the earlier ones, freed of them in the
 * same way: the basis is always complete.
 *
 * Shapes: vectors `[count, length]`, count ≤ length.
 */
export function orthonormalise(vectors: Float64Array, count: number, length: number, single: boolean): void {
  for (let start = 0; start < count * length; start += length) {
    if (purify(vectors, start, length, single)) continue;
    vectors.fill(0, start, start + length);
    vectors[start + leastCovered(vectors, start, length, single)] = 1;
    purify(vectors, start, length, single);
  }
}

/** Frees a unit vector of those before it and returns whether something was left. */
function purify(vectors: Float64Array, start: number, length: number, single: boolean): boolean {
  for (let pass = 0; pass < passes; pass++) {
    for (let earlier = 0; earlier < start; earlier += length) {
      const along = dot(vectors, start, vectors, earlier, length, single);
      if (single) {
        for (let i = 0; i < length; i++) {
          const share = Math.fround(along * vectors[earlier + i]!);
          vectors[start + i] = Math.fround(vectors[start + i]! - share);
        }
      } else {
        for (let i = 0; i < length; i++) {
          vectors[start + i] = vectors[start + i]! - along * vectors[earlier + i]!;
        }
      }
    }
    if (normalise(vectors, start, length, single) >= enough) return true;
  }
  return false;
}

/** The coordinate whose unit vector has the least projection on the vectors before `start`, the first of equal ones. */
function leastCovered(vectors: Float64Array, start: number, length: number, single: boolean): number {
  let least = Infinity;
  let coordinate = 0;
  for (let i = 0; i < length; i++) {
    let covered = 0;
    for (let earlier = i; earlier < start; earlier += length) {
      const square = vectors[earlier]! * vectors[earlier]!;
      covered = single ? Math.fround(covered + Math.fround(square)) : covered + square;
    }
    if (covered < least) {
      least = covered;
      coordinate = i;
    }
  }
  return coordinate;
}
