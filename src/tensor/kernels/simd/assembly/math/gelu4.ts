import { boundedMagnitude4, tailDenominator4, tailNumerator4, timesGaussian4 } from "./normal-tail";

/** gelu32 of four lanes: max(x, −0) − h. */
// @ts-ignore: decorator
@inline
export function gelu4(x: v128): v128 {
  const a = boundedMagnitude4(x);
  const ratio = f32x4.div(f32x4.mul(a, tailNumerator4(a)), tailDenominator4(a));
  return f32x4.sub(f32x4.pmax(x, f32x4.splat(-0.0)), timesGaussian4(ratio, a));
}
