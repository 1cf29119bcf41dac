import { four, magnitude4, ONE, SIGN } from "../math/constant";

const MINUS_ONE = memory.data<f32>([-1]);

/** −x */
// @ts-ignore: decorator
@inline
export function neg4(x: v128): v128 {
  return v128.xor(x, four(SIGN));
}

/** |x| */
// @ts-ignore: decorator
@inline
export function abs4(x: v128): v128 {
  return magnitude4(x);
}

/** −1, 0 or 1; 0 for −0, NaN for NaN. */
// @ts-ignore: decorator
@inline
export function signum4(x: v128): v128 {
  const zero = i32x4.splat(0);
  const above = v128.and(f32x4.gt(x, zero), four(ONE));
  const below = v128.and(f32x4.lt(x, zero), four(MINUS_ONE));
  return v128.bitselect(v128.or(above, below), x, f32x4.eq(x, x));
}

/** 1/x */
// @ts-ignore: decorator
@inline
export function reciprocal4(x: v128): v128 {
  return f32x4.div(four(ONE), x);
}

/** x, but 0 where x < 0. */
// @ts-ignore: decorator
@inline
export function relu4(x: v128): v128 {
  return v128.andnot(x, f32x4.lt(x, i32x4.splat(0)));
}
