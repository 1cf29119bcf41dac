import { reductionCount, reductionRest } from "./exp-reduction.js";
import { powerOfTwo } from "./powers-of-two.js";

/** From here on the result rounds to ±1. */
const SATURATION = 9.0625;
/** 0.26 − ln 2/4: subtracted from a before 2a/ln 2 is rounded, it makes n = 0 up to a = 0.26. */
const SHIFT = 0.08671320229768753;

/**
 * tanh x for a float32 x, in float32 arithmetic. With a = |x|, 2a = n·ln 2 + r, 0.52 − ln 2 ≤ r ≤ 0.52, and
 * e = exp(2a) − 1 = 2^n·(r + c) + (2^n − 1), c = exp(r) − 1 − r, it is ±e/(e + 2): for n > 0 relative errors of e shrink
 * on the way to the quotient. For n = 0 they do not, and a = r/2 is taken out of the quotient:
 *
 *   e/(e + 2) = a + (c·(1 − a) − 2a²)/(e + 2).
 *
 * The sign of zero is kept.
 * Measured over the whole range: at most 1.50 units of the last place.
 */
export function tanh32(x: number): number {
  const f = Math.fround;
  const a = Math.min(Math.abs(x), SATURATION);
  const n = reductionCount(2 * f(a - SHIFT));
  const r = reductionRest(2 * a, n);
  const square = f(r * r);
  const c = f(square * curve(r, square));
  const power = powerOfTwo(n);
  const e = f(f(power * f(r + c)) + f(power - 1));
  const numerator = n > 0 ? e : f(f(c * f(1 - a)) - 0.5 * square);
  const quotient = f(numerator / f(e + 2));
  const magnitude = n > 0 ? quotient : f(a + quotient);
  return x > 0 ? magnitude : x === 0 ? x : -magnitude;
}

/**
 * (exp(r) − 1 − r)/r² for 0.52 − ln 2 ≤ r ≤ 0.52, z = r²: of degree 4, minimax for the error relative to the result, 2^−27.3;
 * evaluated in pairs as in exp-reduction.
 */
function curve(r: number, z: number): number {
  const f = Math.fround;
  const high = f(f(f(r * 0.008244032971560955) + 0.04167032241821289) + f(z * 0.0016425332287326455));
  return f(f(f(r * 0.16666917502880096) + 0.4999997615814209) + f(z * high));
}
