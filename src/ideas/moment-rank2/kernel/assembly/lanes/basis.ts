// Orthonormal bases of four matrices at a time; see src/tensor/linalg/orthonormalise.ts, whose operations
// these are.
import { VECTOR } from "./matrices";
import { dot, normalise, put, subtractScaled } from "./vectors";

const passes: i32 = 4;

/** Makes 8 unit vectors orthonormal in their order, and completes the basis where nothing is left of one. */
export function orthonormalise(vectors: usize): void {
  const end = vectors + 8 * VECTOR;
  const all = i32x4.splat(-1);
  for (let x = vectors; x < end; x += VECTOR) {
    // The first pass over x is made by the earlier vectors, each as soon as it stands: see the loop below.
    let lanes = stillWanting(normalise(x, all), all);
    if (v128.any_true(lanes)) {
      lanes = purify(vectors, x, lanes, passes - 1);
      if (v128.any_true(lanes)) {
        restart(vectors, x, lanes);
        purify(vectors, x, lanes, passes);
      }
    }
    for (let later = x + VECTOR; later < end; later += VECTOR) subtractScaled(later, dot(later, x), x);
  }
}

// @ts-ignore: decorator
@inline
function stillWanting(norm: v128, lanes: v128): v128 {
  return v128.andnot(lanes, f32x4.ge(norm, f32x4.splat(0.9998779296875)));
}

/**
 * Frees x of the earlier vectors, up to `times` times, in the lanes that are set. Returns those with nothing
 * left.
 */
function purify(vectors: usize, x: usize, lanes: v128, times: i32): v128 {
  for (let pass = 0; pass < times && v128.any_true(lanes); pass++) {
    for (let earlier = vectors; earlier < x; earlier += VECTOR) {
      const along = dot(x, earlier);
      for (let i: usize = 0; i < VECTOR; i += 16) {
        put(x + i, f32x4.sub(v128.load(x + i), f32x4.mul(along, v128.load(earlier + i))), lanes);
      }
    }
    lanes = stillWanting(normalise(x, lanes), lanes);
  }
  return lanes;
}

/** In the lanes that are set, x becomes the unit vector that has least in common with the earlier vectors. */
function restart(vectors: usize, x: usize, lanes: v128): void {
  let least = f32x4.splat(Infinity);
  let coordinate = i32x4.splat(0);
  for (let i = 0; i < 8; i++) {
    let covered = f32x4.splat(0);
    for (let earlier = vectors; earlier < x; earlier += VECTOR) {
      const entry = v128.load(earlier + (<usize>i << 4));
      covered = f32x4.add(covered, f32x4.mul(entry, entry));
    }
    const lower = f32x4.lt(covered, least);
    least = v128.bitselect(covered, least, lower);
    coordinate = v128.bitselect(i32x4.splat(i), coordinate, lower);
  }
  for (let i = 0; i < 8; i++) {
    const chosen = i32x4.eq(coordinate, i32x4.splat(i));
    put(x + (<usize>i << 4), v128.and(f32x4.splat(1), chosen), lanes);
  }
}
