import { four, SIGN } from "./constant";
import { expOfNegative4 } from "./exp4";
import { log1pOfUnit4 } from "./log1p4";

/** softplus32 of four lanes. */
// @ts-ignore: decorator
@inline
export function softplus4(x: v128): v128 {
  const exponential = expOfNegative4(v128.or(x, four(SIGN)));
  return f32x4.add(f32x4.pmax(x, i32x4.splat(0)), log1pOfUnit4(exponential));
}
