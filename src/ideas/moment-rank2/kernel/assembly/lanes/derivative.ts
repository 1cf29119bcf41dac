// DT_r[G] of four matrices at a time; see ../../truncation-derivative.ts, whose operations these are.
import { FACTORS } from "./decomposition";
import { MATRIX, VECTOR } from "./matrices";
import { addScaled, dot } from "./vectors";

/**
 * out = DT_r[G] from the factors; `work` is room for 2·rank + 2 vectors. With `tangent` nothing is amplified.
 */
export function truncationDerivative(
  factors: usize,
  rank: i32,
  tangent: bool,
  bound: f32,
  g: usize,
  out: usize,
  work: usize,
): void {
  const l = work;
  const r = work + <usize>rank * VECTOR;
  reduce(factors, rank, g, l, r);
  if (!tangent) amplify(factors, rank, bound, l, r, r + <usize>rank * VECTOR);
  expand(factors, rank, l, r, out);
}

function reduce(factors: usize, rank: i32, g: usize, l: usize, r: usize): void {
  const v = factors + MATRIX;
  for (let i: usize = 0; i < <usize>rank; i++) {
    const left = l + i * VECTOR;
    const right = r + i * VECTOR;
    const ui = factors + i * VECTOR;
    const vi = v + i * VECTOR;
    for (let at: usize = 0; at < VECTOR; at += 16) {
      let sum = f32x4.splat(0);
      for (let p: usize = 0; p < 8; p++) {
        sum = f32x4.add(sum, f32x4.mul(v128.load(ui + (p << 4)), v128.load(g + p * VECTOR + at)));
      }
      v128.store(left + at, sum);
    }
    for (let p: usize = 0; p < 8; p++) v128.store(right + (p << 4), dot(g + p * VECTOR, vi));
    for (let t: usize = 0; t < <usize>rank; t++) {
      const kept = v + t * VECTOR;
      addScaled(left, f32x4.neg(dot(left, kept)), kept);
    }
  }
}

function amplify(factors: usize, rank: i32, bound: f32, l: usize, r: usize, gains: usize): void {
  const v = factors + MATRIX;
  const s = factors + 2 * MATRIX;
  const limit = f32x4.splat(bound);
  const most = f32x4.splat(bound - 1);
  const zero = f32x4.splat(0);
  for (let i: usize = 0; i < <usize>rank; i++) {
    const left = l + i * VECTOR;
    const right = r + i * VECTOR;
    const kept = v128.load(s + (i << 4));
    for (let j = <usize>rank; j < 8; j++) {
      const discarded = v128.load(s + (j << 4));
      const above = dot(left, v + j * VECTOR);
      const below = dot(right, factors + j * VECTOR);
      const gap = f32x4.sub(kept, discarded);
      const clipped = f32x4.ge(kept, f32x4.mul(limit, gap));
      const gain = v128.bitselect(most, f32x4.div(discarded, gap), clipped);
      const loss = f32x4.div(discarded, f32x4.add(kept, discarded));
      const even = f32x4.mul(gain, f32x4.mul(f32x4.add(above, below), f32x4.splat(0.5)));
      const odd = f32x4.mul(loss, f32x4.mul(f32x4.sub(above, below), f32x4.splat(0.5)));
      const none = f32x4.eq(discarded, zero);
      v128.store(gains + (j << 5), v128.andnot(f32x4.sub(even, odd), none));
      v128.store(gains + (j << 5), v128.andnot(f32x4.add(even, odd), none), 16);
    }
    for (let j = <usize>rank; j < 8; j++) {
      addScaled(left, v128.load(gains + (j << 5)), v + j * VECTOR);
      addScaled(right, v128.load(gains + (j << 5), 16), factors + j * VECTOR);
    }
  }
}

function expand(factors: usize, rank: i32, l: usize, r: usize, out: usize): void {
  const v = factors + MATRIX;
  for (let at: usize = 0; at < MATRIX; at += 16) v128.store(out + at, f32x4.splat(0));
  for (let i: usize = 0; i < <usize>rank; i++) {
    for (let p: usize = 0; p < 8; p++) {
      const row = out + p * VECTOR;
      addScaled(row, v128.load(factors + i * VECTOR + (p << 4)), l + i * VECTOR);
      addScaled(row, v128.load(r + i * VECTOR + (p << 4)), v + i * VECTOR);
    }
  }
}
