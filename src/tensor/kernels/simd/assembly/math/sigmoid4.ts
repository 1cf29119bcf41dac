import { four, magnitude4, ONE, plus, step } from "./constant";
import { count4, LN2_HIGH, LN2_LOW, ROUNDER, wholeCount4 } from "./exp-reduction";

const ABOVE = memory.data<f32>([20]);
const BELOW = memory.data<f32>([-104]);
const MINUS_LOG2_E = memory.data<f32>([-1.4426950216293335]);
const C0 = memory.data<f32>([0.4999999403953552]);
const MINUS_C1 = memory.data<f32>([-0.16666516661643982]);
const C2 = memory.data<f32>([0.04166810214519501]);
const MINUS_C3 = memory.data<f32>([-0.00836916547268629]);
const C4 = memory.data<f32>([0.0013837979640811682]);

/** n + ROUNDER with e^(−x) = 2^n·(1 + s). */
// @ts-ignore: decorator
@inline
function rounded4(x: v128): v128 {
  return step(x, four(MINUS_LOG2_E), ROUNDER);
}

/** s, from the negative of r, which saves negating x. */
// @ts-ignore: decorator
@inline
function rest4(x: v128, rounded: v128): v128 {
  const n = count4(rounded);
  const t = f32x4.add(f32x4.add(x, f32x4.mul(n, four(LN2_HIGH))), f32x4.mul(n, four(LN2_LOW)));
  const z = f32x4.mul(t, t);
  const high = plus(step(t, four(MINUS_C3), C2), z, four(C4));
  return f32x4.sub(f32x4.mul(z, plus(step(t, four(MINUS_C1), C0), z, high)), t);
}

/**
 * sigmoid32 of four lanes: with e^(−x) = 2^n·(1 + s), a = 2^min(n, 0) and b = 2^−max(n, 0),
 *
 *   b/(1 + (a·b + a·s)).
 *
 * The factor b is split, so that the quotient is rounded to a subnormal number once. Above 20 the result is 1; NaN passes
 * both bounds.
 */
// @ts-ignore: decorator
@inline
export function sigmoid4(x: v128): v128 {
  const bounded = f32x4.pmax(f32x4.pmin(x, four(ABOVE)), four(BELOW));
  const rounded = rounded4(bounded);
  const s = rest4(bounded, rounded);
  const count = wholeCount4(rounded);
  const zero = i32x4.splat(0);
  const one = four(ONE);
  const a = i32x4.add(i32x4.shl(i32x4.min_s(count, zero), 23), one);
  const above = i32x4.max_s(count, zero);
  const half = i32x4.shr_s(above, 1);
  const b1 = i32x4.sub(one, i32x4.shl(half, 23));
  const b2 = i32x4.sub(one, i32x4.shl(i32x4.sub(above, half), 23));
  const power = f32x4.mul(f32x4.mul(a, b1), b2);
  const divisor = f32x4.add(one, f32x4.add(power, f32x4.mul(a, s)));
  return f32x4.mul(f32x4.div(b1, divisor), b2);
}

/** The lanes with |x| ≤ 20. */
// @ts-ignore: decorator
@inline
export function isModerate4(x: v128): v128 {
  return f32x4.le(magnitude4(x), four(ABOVE));
}

/** {@link sigmoid4} where {@link isModerate4} holds in every lane, to the same bits: nothing is subnormal, so b need not be split. */
// @ts-ignore: decorator
@inline
export function sigmoidOfModerate4(x: v128): v128 {
  const rounded = rounded4(x);
  const s = rest4(x, rounded);
  const one = four(ONE);
  // What the shift leaves of n + ROUNDER is n, where the exponent of a float32 stands.
  const n = i32x4.shl(rounded, 23);
  const a = i32x4.add(i32x4.min_s(n, i32x4.splat(0)), one);
  const b = i32x4.sub(a, n);
  return f32x4.div(b, f32x4.add(one, f32x4.add(f32x4.mul(a, b), f32x4.mul(a, s))));
}
