import { sigmoid32, sigmoid64 } from "./sigmoid.js";

/** 2√(2/π), twice the slope of the tanh argument at 0, as float64 and as float32. */
export const SLOPE = 1.5957691216057308;
export const SLOPE32 = Math.fround(1.5957691669464111);
/** The coefficient 0.044715 of the cubic term. */
export const CUBIC = 0.044715;
export const CUBIC32 = Math.fround(0.044714998453855515);

/** The factor x is kept above it: below, the logistic factor is zero, and −∞·0 would be NaN. */
const VANISHED = -(2 ** 100);

/**
 * The tanh form of GELU, ½x(1 + tanh(√(2/π)(x + 0.044715 x³))) (D. Hendrycks and K. Gimpel, 2016), for a float32 x, as
 * x times the logistic function of twice that argument, in float32 arithmetic.
 * Measured over the whole range: within 1.7u(1 + |value|), u = 2^−24.
 */
export function geluTanh32(x: number): number {
  const f = Math.fround;
  const stretch = f(1 + f(CUBIC32 * f(x * x)));
  return f(Math.max(x, VANISHED) * sigmoid32(f(f(SLOPE32 * x) * stretch)));
}

/** The tanh form of GELU in float64, in the same form. */
export function geluTanh64(x: number): number {
  return Math.max(x, VANISHED) * sigmoid64(SLOPE * x * (1 + CUBIC * x * x));
}
