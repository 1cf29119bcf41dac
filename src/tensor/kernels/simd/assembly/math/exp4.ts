import { four, ONE } from "./constant";
import { count4, expm1Rest4, rest4, rounded4, scale4 } from "./exp-reduction";

const ABOVE = memory.data<f32>([89]);
const BELOW = memory.data<f32>([-104]);

/**
 * exp32 of four lanes. At 89 the scaling itself gives infinity, at −104 zero, as exp32 has it beyond its limits; NaN passes
 * both bounds.
 */
// @ts-ignore: decorator
@inline
export function exp4(x: v128): v128 {
  return expBounded4(f32x4.pmax(f32x4.pmin(x, four(ABOVE)), four(BELOW)));
}

/** exp32 of four lanes that are at most 0 or NaN. */
// @ts-ignore: decorator
@inline
export function expOfNegative4(x: v128): v128 {
  return expBounded4(f32x4.pmax(x, four(BELOW)));
}

// @ts-ignore: decorator
@inline
function expBounded4(x: v128): v128 {
  const rounded = rounded4(x);
  return scale4(f32x4.add(four(ONE), expm1Rest4(rest4(x, count4(rounded)))), rounded);
}
