/** All bits set in the first `count` lanes, none in the others. */
// @ts-ignore: decorator
@inline
export function firstLanes(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count));
}

/** Four float32 as two pairs of float64. */
// @ts-ignore: decorator
@inline
export function lowPair(x: v128): v128 {
  return f64x2.promote_low_f32x4(x);
}

// @ts-ignore: decorator
@inline
export function highPair(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<i64>(x, x, 1, 1));
}

/** Two pairs of float64, rounded to four float32. */
// @ts-ignore: decorator
@inline
export function rounded(lowest: v128, highest: v128): v128 {
  return v128.shuffle<i64>(f32x4.demote_f64x2_zero(lowest), f32x4.demote_f64x2_zero(highest), 0, 2);
}

/** (s₀ + s₂) + (s₁ + s₃). */
// @ts-ignore: decorator
@inline
export function sumOfFour(s: v128): f32 {
  const pairs = f32x4.add(s, v128.shuffle<i64>(s, s, 1, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

/** The same of two pairs of float64. */
// @ts-ignore: decorator
@inline
export function sumOfPairs(s01: v128, s23: v128): f64 {
  const pairs = f64x2.add(s01, s23);
  return f64x2.extract_lane(pairs, 0) + f64x2.extract_lane(pairs, 1);
}
