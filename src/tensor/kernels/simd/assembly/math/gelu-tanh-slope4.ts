import { four, magnitude4, ONE, SIGN, step } from "./constant";
import { count4, expm1Rest4, powerOfTwo4, rest4, rounded4 } from "./exp-reduction";
import { risen4 } from "./gelu-slope4";
import { CUBIC, SLOPE } from "./gelu-tanh4";

const VANISHED = memory.data<f32>([10.03125]);
const THRICE_CUBIC = memory.data<f32>([0.13414499163627625]);

/** geluTanhSlope32 of four lanes. */
// @ts-ignore: decorator
@inline
export function geluTanhSlope4(x: v128): v128 {
  const one = four(ONE);
  const a = f32x4.pmin(magnitude4(x), four(VANISHED));
  const square = f32x4.mul(a, a);
  const line = f32x4.mul(four(SLOPE), a);
  const exponent = v128.xor(f32x4.mul(line, step(square, four(CUBIC), ONE)), four(SIGN));
  const rounded = rounded4(exponent);
  const y = f32x4.add(one, expm1Rest4(rest4(exponent, count4(rounded))));
  const exponential = f32x4.mul(y, powerOfTwo4(rounded));
  const above = f32x4.div(one, f32x4.add(one, exponential));
  const rise = f32x4.mul(line, step(square, four(THRICE_CUBIC), ONE));
  const d = f32x4.mul(f32x4.mul(exponential, above), f32x4.sub(f32x4.mul(above, rise), one));
  return risen4(x, d);
}
