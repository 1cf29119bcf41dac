import { four, ONE, step } from "./constant";
import { sigmoid4 } from "./sigmoid4";

export const SLOPE = memory.data<f32>([1.595769166946411]);
export const CUBIC = memory.data<f32>([0.04471499845385551]);
/** −2^100 */
const VANISHED = memory.data<f32>([-1.2676506002282294e30]);

/** geluTanh32 of four lanes. */
// @ts-ignore: decorator
@inline
export function geluTanh4(x: v128): v128 {
  const stretch = step(f32x4.mul(x, x), four(CUBIC), ONE);
  const logistic = sigmoid4(f32x4.mul(f32x4.mul(four(SLOPE), x), stretch));
  return f32x4.mul(f32x4.pmax(x, four(VANISHED)), logistic);
}
