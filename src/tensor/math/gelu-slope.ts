import { erfc64, expOfSquare } from "./erf64.js";
import { tailDenominator32, tailNumerator32, timesGaussian32, VANISHED } from "./normal-tail.js";

/** 1/√(2π) as float64 and as float32. */
const DENSITY_AT_0 = 0.3989422804014327;
const DENSITY_AT_0_32 = 0.3989422917366028;

/**
 * The derivative of GELU, Φ(x) + x·φ(x), for a float32 x in float32 arithmetic: with a = |x| it is 1 + d for x ≥ 0 and −d
 * below, where, see normal-tail,
 *
 *   d = a·φ(a) − Φ(−a) = exp(−a²/2)·(a/√(2π) − N(a)/D(a)).
 *
 * Measured over the whole range: within 1.5u(1 + |value|), u = 2^−24.
 */
export function geluSlope32(x: number): number {
  const f = Math.fround;
  const a = Math.min(Math.abs(x), VANISHED);
  const ratio = f(tailNumerator32(a) / tailDenominator32(a));
  const d = timesGaussian32(f(f(DENSITY_AT_0_32 * a) - ratio), a);
  return x >= 0 ? f(1 + d) : 0 - d;
}

/** The derivative of GELU in float64. */
export function geluSlope64(x: number): number {
  const bounded = Math.max(-40, Math.min(40, x));
  return 0.5 * erfc64(-bounded * Math.SQRT1_2) + bounded * DENSITY_AT_0 * expOfSquare(bounded, -0.5);
}
