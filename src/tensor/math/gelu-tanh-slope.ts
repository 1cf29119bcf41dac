import { expm1Rest, reductionCount, reductionRest } from "./exp-reduction.js";
import { CUBIC, CUBIC32, SLOPE, SLOPE32 } from "./gelu-tanh.js";
import { powerOfTwo } from "./powers-of-two.js";
import { sigmoid64 } from "./sigmoid.js";

/** From here on exp(−z) is taken as zero, which it is against 1. */
const VANISHED = 10.03125;
const THRICE_CUBIC32 = 0.13414499163627625;

/**
 * The derivative of the tanh form of GELU, σ(z) + x·z′·σ(z)·σ(−z) with z = 2√(2/π)(x + 0.044715 x³), for a float32 x in
 * float32 arithmetic: with z and z′ at a = |x|, e = exp(−z) by exp-reduction and p = σ(z) = 1/(1 + e) it is 1 + d for x ≥ 0
 * and −d below, where
 *
 *   d = e·p·(p·a·z′ − 1).
 *
 * Measured over the whole range: within 2u(1 + |value|), u = 2^−24.
 */
export function geluTanhSlope32(x: number): number {
  const f = Math.fround;
  const a = Math.min(Math.abs(x), VANISHED);
  const square = f(a * a);
  const line = f(SLOPE32 * a);
  const exponent = -f(line * f(f(square * CUBIC32) + 1));
  const n = reductionCount(exponent);
  const exponential = f(1 + expm1Rest(reductionRest(exponent, n)));
  const e = n < -126 ? 0 : f(exponential * powerOfTwo(n));
  const above = f(1 / f(1 + e));
  const rise = f(line * f(f(square * THRICE_CUBIC32) + 1));
  const d = f(f(e * above) * f(f(above * rise) - 1));
  return x >= 0 ? f(1 + d) : 0 - d;
}

/** The derivative of the tanh form of GELU in float64. */
export function geluTanhSlope64(x: number): number {
  const bounded = Math.max(-40, Math.min(40, x));
  const square = bounded * bounded;
  const z = SLOPE * bounded * (1 + CUBIC * square);
  const rise = SLOPE * bounded * (1 + 3 * CUBIC * square);
  const logistic = sigmoid64(z);
  return logistic + logistic * sigmoid64(-z) * rise;
}
