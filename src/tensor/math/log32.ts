import { bits32, float32 } from "./float-bits.js";
import { logExponent, logOfReduced } from "./log-reduction.js";

const LEAST_NORMAL = 2 ** -126;

/**
 * The natural logarithm of a float32 x, in float32 arithmetic, see log-reduction. Subnormal numbers are scaled by 2^24
 * first. −∞ at ±0, NaN below.
 * Measured over the whole range: at most 0.85 units of the last place.
 */
export function log32(x: number): number {
  if (!(x > 0 && x < Infinity)) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  const subnormal = x < LEAST_NORMAL;
  const bits = bits32(subnormal ? x * 2 ** 24 : x);
  const e = logExponent(bits);
  return logOfReduced(subnormal ? e - 24 : e, float32(bits - (e << 23)) - 1, 0);
}
