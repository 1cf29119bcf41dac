// src/tensor/math/exp2-float64.ts, two lanes at once.

/** 2^t for −150 ≤ t ≤ 128 in float64 arithmetic. */
// @ts-ignore: decorator
@inline
export function exp2Float64(t: v128): v128 {
  // t + 1.5·2^52 holds the whole number n in its lowest bits, and the shift leaves nothing else.
  const rounded = f64x2.add(t, f64x2.splat(6755399441055744));
  const f = f64x2.sub(t, f64x2.sub(rounded, f64x2.splat(6755399441055744)));
  let p = f64x2.add(f64x2.mul(f, f64x2.splat(0.000013359517465078876)), f64x2.splat(0.00015461390776848883));
  p = f64x2.add(f64x2.mul(p, f), f64x2.splat(0.0013341955777228208));
  p = f64x2.add(f64x2.mul(p, f), f64x2.splat(0.009618056861547158));
  p = f64x2.add(f64x2.mul(p, f), f64x2.splat(0.055504003652560044));
  p = f64x2.add(f64x2.mul(p, f), f64x2.splat(0.24022650921054578));
  p = f64x2.add(f64x2.mul(p, f), f64x2.splat(0.6931471838211278));
  const power = i64x2.add(i64x2.shl(rounded, 52), i64x2.splat(0x3ff0000000000000));
  return f64x2.mul(f64x2.add(f64x2.splat(1), f64x2.mul(p, f)), power);
}

/** The two lower lanes as float64. */
// @ts-ignore: decorator
@inline
export function lower64(x: v128): v128 {
  return f64x2.promote_low_f32x4(x);
}

/** The two upper lanes as float64. */
// @ts-ignore: decorator
@inline
export function upper64(x: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<i32>(x, x, 2, 3, 2, 3));
}

/** Four floats, rounded from two pairs of float64. */
// @ts-ignore: decorator
@inline
export function rounded32(lower: v128, upper: v128): v128 {
  const low = f32x4.demote_f64x2_zero(lower);
  return v128.shuffle<i32>(low, f32x4.demote_f64x2_zero(upper), 0, 1, 4, 5);
}
