import { erfc64, expOfSquare, scaledErfc } from "./erf64.js";
import { expm1Rest, reductionCount, reductionRest } from "./exp-reduction.js";
import { powerOfTwo } from "./powers-of-two.js";

/** From here on |x|·Φ(−|x|) is taken as zero: it is below the least normal float32. */
const VANISHED = 13.28125;

/**
 * GELU, x·Φ(x) = ½x·erfc(−x/√2) (D. Hendrycks and K. Gimpel, 2016), for a float32 x in float32 arithmetic: with
 * a = |x| and h = a·Φ(−a), it is x − h for x ≥ 0 and −h below, so that nothing cancels for negative x. There
 *
 *   h = exp(−a²/2)·a·N(a)/D(a),
 *
 * exp as in exp-reduction, and the quotient of degrees 4 and 5 minimax for the relative error of
 * ½exp(a²/2)·erfc(a/√2), which is 2^−27.1. The sign of zero is kept.
 * Measured over the whole range: within 0.9u(1 + |value|), u = 2^−24; relative to the value, within 7 units of the last
 * place down to x = −4, growing with x² below (the rounding of a²).
 */
export function gelu32(x: number): number {
  const f = Math.fround;
  const a = Math.min(Math.abs(x), VANISHED);
  const exponent = f(a * (-0.5 * a));
  const n = reductionCount(exponent);
  const exponential = f(1 + expm1Rest(reductionRest(exponent, n)));
  let numerator = f(f(a * 0.004002329893410206) + 0.03986753895878792);
  numerator = f(f(numerator * a) + 0.18096476793289185);
  numerator = f(f(numerator * a) + 0.4352308511734009);
  numerator = f(f(numerator * a) + 0.5);
  let denominator = f(f(a * 0.010032206773757935) + 0.09994062036275864);
  denominator = f(f(denominator * a) + 0.46347588300704956);
  denominator = f(f(denominator * a) + 1.1930738687515259);
  denominator = f(f(denominator * a) + 1.6683465242385864);
  denominator = f(f(denominator * a) + 1);
  const density = n < -126 ? 0 : f(exponential * powerOfTwo(n));
  const tail = f(f(f(a * numerator) / denominator) * density);
  return x >= 0 ? f(x - tail) : -tail;
}

/** GELU in float64, ½x·erfc(−x/√2), to about 2e-15 relative, also where it is small. */
export function gelu64(x: number): number {
  if (!(x <= -1)) return 0.5 * x * erfc64(-x * Math.SQRT1_2);
  const a = Math.min(-x, 40);
  return -0.5 * a * expOfSquare(a, -0.5) * scaledErfc(a * Math.SQRT1_2);
}
