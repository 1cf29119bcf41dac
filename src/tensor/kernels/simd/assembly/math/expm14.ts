import { four, HALF } from "./constant";
import { count4, expm1Rest4, rest4, rounded4 } from "./exp-reduction";

const ABOVE = memory.data<f32>([89]);
const BELOW = memory.data<f32>([-17.5]);

/** expm132 of four lanes. At the bounds the arithmetic itself gives infinity and −1; NaN passes them. */
// @ts-ignore: decorator
@inline
export function expm14(x: v128): v128 {
  const bounded = f32x4.pmax(f32x4.pmin(x, four(ABOVE)), four(BELOW));
  const rounded = rounded4(bounded);
  const s = expm1Rest4(rest4(bounded, count4(rounded)));
  // 2^(n−1): what the shift leaves of n + ROUNDER is n.
  const half = i32x4.add(i32x4.shl(rounded, 23), four(HALF));
  const result = f32x4.add(f32x4.mul(half, s), f32x4.sub(half, four(HALF)));
  return v128.bitselect(x, f32x4.add(result, result), f32x4.eq(x, i32x4.splat(0)));
}
