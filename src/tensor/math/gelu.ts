import { erfc64, expOfSquare, scaledErfc } from "./erf64.js";
import { tailDenominator32, tailNumerator32, timesGaussian32, VANISHED } from "./normal-tail.js";

/**
 * GELU, x·Φ(x) = ½x·erfc(−x/√2) (D. Hendrycks and K. Gimpel, 2016), for a float32 x in float32 arithmetic: with
 * a = |x| and h = a·Φ(−a), see normal-tail, it is x − h for x ≥ 0 and −h below, so that nothing cancels for negative x. The
 * sign of zero is kept.
 * Measured over the whole range: within 0.9u(1 + |value|), u = 2^−24; relative to the value, within 8.1 units of the last
 * place down to x = −3, 13 down to −4, growing with x² below (the rounding of the exponent).
 */
export function gelu32(x: number): number {
  const f = Math.fround;
  const a = Math.min(Math.abs(x), VANISHED);
  const ratio = f(f(a * tailNumerator32(a)) / tailDenominator32(a));
  const tail = timesGaussian32(ratio, a);
  return x >= 0 ? f(x - tail) : -tail;
}

/** GELU in float64, ½x·erfc(−x/√2), to about 2e-15 relative, also where it is small. */
export function gelu64(x: number): number {
  if (!(x <= -1)) return 0.5 * x * erfc64(-x * Math.SQRT1_2);
  const a = Math.min(-x, 40);
  return -0.5 * a * expOfSquare(a, -0.5) * scaledErfc(a * Math.SQRT1_2);
}
