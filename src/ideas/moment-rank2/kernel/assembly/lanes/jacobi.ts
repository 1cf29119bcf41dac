// One-sided Jacobi rotations on four matrices of 8 columns at a time; see src/tensor/linalg/jacobi-sweep.ts,
// whose operations these are, one by one.
import { four, magnitude4, ONE, SIGN, sign4 } from "../../../../../tensor/kernels/simd/assembly/math/constant";
import { dot } from "./vectors";
import { VECTOR } from "./matrices";

/** A pair whose product is within this share of its norms counts as orthogonal: four unit roundoffs. */
const ENOUGH = memory.data<f32>([2.384185791015625e-7]);

/**
 * The 28 pairs p < q, p + q = 6, 7, 0, 1, … 5 modulo 8: 128·p and 128·q. Pairs of one sum are disjoint; a sum
 * has three or four of them.
 */
const pairs: usize = memory.data<u16>([
  0, 768, 128, 640, 256, 512, 0, 896, 128, 768, 256, 640, 384, 512,
  128, 896, 256, 768, 384, 640, 0, 128, 256, 896, 384, 768, 512, 640,
  0, 256, 384, 896, 512, 768, 0, 384, 128, 256, 512, 896, 640, 768,
  0, 512, 128, 384, 640, 896, 0, 640, 128, 512, 256, 384, 768, 896,
]);

/**
 * Bytes that a sweep works in beside the columns: 8 squared norms, then for each pair of a sum the four
 * entries of its rotation and the lanes that it turns.
 */
export const SWEEP: usize = 128 + 4 * 80;

/**
 * One pass over all pairs of the columns at `w`; `norms` is room for SWEEP bytes. Returns the lanes that it
 * turned.
 */
export function sweep(w: usize, norms: usize): v128 {
  for (let j: usize = 0; j < 8; j++) v128.store(norms + (j << 4), dot(w + j * VECTOR, w + j * VECTOR));
  let rotated = i32x4.splat(0);
  let pair = pairs;
  for (let sum = 0; sum < 8; sum++) {
    // All angles of a sum first: each waits for its roots and quotients, so that several should be under way.
    const end = pair + 12 + ((sum & 1) << 2);
    const rotations = norms + 128;
    let turned = i32x4.splat(0);
    for (let at = pair, to = rotations; at < end; at += 4, to += 80) {
      turned = v128.or(turned, chooseRotation(w, norms, <usize>load<u16>(at), <usize>load<u16>(at, 2), to));
    }
    if (v128.any_true(turned)) {
      rotated = v128.or(rotated, turned);
      for (let at = pair, from = rotations; at < end; at += 4, from += 80) {
        if (!v128.any_true(v128.load(from, 64))) continue;
        rotate(w + <usize>load<u16>(at), w + <usize>load<u16>(at, 2), from);
      }
    }
    pair = end;
  }
  return rotated;
}

/** Stores the rotation of one pair of columns (the identity where none is due), and renews their norms. */
// @ts-ignore: decorator
@inline
function chooseRotation(w: usize, norms: usize, p: usize, q: usize, to: usize): v128 {
  const alpha = v128.load(norms + (p >> 3));
  const beta = v128.load(norms + (q >> 3));
  const gamma = dot(w + p, w + q);
  const size = magnitude4(gamma);
  const least = f32x4.mul(four(ENOUGH), f32x4.sqrt(f32x4.mul(alpha, beta)));
  const lanes = f32x4.gt(size, least);
  v128.store(to, lanes, 64);
  if (!v128.any_true(lanes)) return lanes;
  const delta = f32x4.sub(alpha, beta);
  const gap = magnitude4(delta);
  const twice = f32x4.add(size, size);
  const root = f32x4.sqrt(f32x4.add(f32x4.mul(delta, delta), f32x4.mul(twice, twice)));
  const t = f32x4.div(twice, f32x4.add(gap, f32x4.pmax(root, f32x4.pmax(gap, twice))));
  const one = four(ONE);
  const cosine = f32x4.div(one, f32x4.sqrt(f32x4.add(one, f32x4.mul(t, t))));
  const sine = v128.xor(f32x4.mul(t, cosine), sign4(v128.xor(delta, gamma)));
  const c = v128.bitselect(cosine, one, lanes);
  const s = v128.and(sine, lanes);
  const change = v128.and(lanes, f32x4.gt(beta, alpha));
  const sign = four(SIGN);
  const xx = v128.bitselect(v128.xor(s, sign), c, change);
  const xy = v128.bitselect(c, s, change);
  v128.store(to, xx);
  v128.store(to, xy, 16);
  v128.store(to, v128.xor(xy, v128.andnot(sign, change)), 32);
  v128.store(to, v128.xor(xx, v128.and(sign, change)), 48);
  const moved = f32x4.mul(t, size);
  const larger = f32x4.add(f32x4.pmax(alpha, beta), moved);
  const smaller = f32x4.pmax(i32x4.splat(0), f32x4.sub(f32x4.pmin(alpha, beta), moved));
  v128.store(norms + (p >> 3), v128.bitselect(larger, alpha, lanes));
  v128.store(norms + (q >> 3), v128.bitselect(smaller, beta, lanes));
  return lanes;
}

// @ts-ignore: decorator
@inline
function rotate(x: usize, y: usize, rotation: usize): void {
  const xx = v128.load(rotation);
  const xy = v128.load(rotation, 16);
  const yx = v128.load(rotation, 32);
  const yy = v128.load(rotation, 48);
  turnHalf(x, y, xx, xy, yx, yy);
  turnHalf(x + 64, y + 64, xx, xy, yx, yy);
}

// @ts-ignore: decorator
@inline
function turnHalf(x: usize, y: usize, xx: v128, xy: v128, yx: v128, yy: v128): void {
  const x0 = v128.load(x);
  const x1 = v128.load(x, 16);
  const x2 = v128.load(x, 32);
  const x3 = v128.load(x, 48);
  const y0 = v128.load(y);
  const y1 = v128.load(y, 16);
  const y2 = v128.load(y, 32);
  const y3 = v128.load(y, 48);
  v128.store(x, f32x4.add(f32x4.mul(xx, x0), f32x4.mul(xy, y0)));
  v128.store(x, f32x4.add(f32x4.mul(xx, x1), f32x4.mul(xy, y1)), 16);
  v128.store(x, f32x4.add(f32x4.mul(xx, x2), f32x4.mul(xy, y2)), 32);
  v128.store(x, f32x4.add(f32x4.mul(xx, x3), f32x4.mul(xy, y3)), 48);
  v128.store(y, f32x4.add(f32x4.mul(yx, x0), f32x4.mul(yy, y0)));
  v128.store(y, f32x4.add(f32x4.mul(yx, x1), f32x4.mul(yy, y1)), 16);
  v128.store(y, f32x4.add(f32x4.mul(yx, x2), f32x4.mul(yy, y2)), 32);
  v128.store(y, f32x4.add(f32x4.mul(yx, x3), f32x4.mul(yy, y3)), 48);
}
