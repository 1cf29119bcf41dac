import { powerOfTwo } from "./powers-of-two.js";

/*
 * What GELU and its derivative share: the left tail of the normal distribution, Φ(−a) = 2^(K·a²)·N(a)/D(a) for a ≥ 0, with the
 * float32 K next to −½·log₂ e; what K is off is made up for by N/D. All operations are float32.
 */

/** From here on the tail is taken as zero: |x|·Φ(−|x|) is below the least normal float32. */
export const VANISHED = 13.28125;

const K = -0.7213475108146667;

/** Adding and subtracting 1.5·2^23 rounds a float32 to a whole number, ties to even. */
const ROUNDER = 12582912;

/**
 * y·2^(K·a²), that is y·exp(−a²/2) but for the rounding of the exponent, for 0 ≤ a < {@link VANISHED}; 0 there. With n the
 * whole number nearest to the exponent and f what is left, (y·2^n)·(1 + f·p(f)): p of degree 4, minimax for the relative
 * error, 2^−23.4.
 */
export function timesGaussian32(y: number, a: number): number {
  const r = Math.fround;
  const exponent = r(K * r(a * a));
  const n = r(exponent + ROUNDER) - ROUNDER;
  const f = r(exponent - n);
  let p = r(r(f * 0.0013269443297758698) + 0.009671296924352646);
  p = r(r(p * f) + 0.0555071122944355);
  p = r(r(p * f) + 0.24022246897220612);
  p = r(r(p * f) + 0.6931470036506653);
  const scaled = r(y * (n < -126 ? 0 : powerOfTwo(n)));
  return r(scaled * r(1 + r(f * p)));
}

/**
 * N(a), of degree 4. With {@link tailDenominator32} of degree 5 it is minimax for the relative error of Φ(−a)/2^(K·a²) with the
 * weight 1/(1 + a²/8), 2^−27.8 with these coefficients.
 */
export function tailNumerator32(a: number): number {
  const r = Math.fround;
  let numerator = r(r(a * 0.3989485800266266) + 4.092785358428955);
  numerator = r(r(numerator * a) + 18.96087074279785);
  numerator = r(r(numerator * a) + 46.35944747924805);
  return r(r(numerator * a) + 54.338375091552734);
}

/** D(a), whose leading coefficient is 1. */
export function tailDenominator32(a: number): number {
  const r = Math.fround;
  let denominator = r(a + 10.26009464263916);
  denominator = r(r(denominator * a) + 48.50532531738281);
  denominator = r(r(denominator * a) + 126.747955322265625);
  denominator = r(r(denominator * a) + 179.43040466308594);
  return r(r(denominator * a) + 108.67675018310547);
}
