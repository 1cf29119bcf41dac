/*
 * What log and log1p share: x = 2^e·(1 + f) with whole e and √½ ≤ 1 + f < √2, so that log x = e·ln 2 + log(1 + f). All
 * operations are float32, but for those on bit patterns.
 */

/** The bit pattern of the float32 next to √½. */
const SQRT_HALF_BITS = 0x3f3504f3;

/** ln 2 in two parts. The first has 16 bits, so that its product with a whole number of 8 bits is exact. */
const LN2_HIGH = 0.693145751953125;
const LN2_LOW = 0.000001428606765330187;

/** e, from the bit pattern of a positive normal float32. */
export function logExponent(bits: number): number {
  return (bits - SQRT_HALF_BITS) >> 23;
}

/**
 * e·ln 2 + log(1 + f) + correction. With s = f/(2 + f) and z = s²,
 *
 *   log(1 + f) = 2 atanh s = f − (f²/2 − s·(f²/2 + z·R(z))),   z·R(z) ≈ 2 (atanh s)/s − 2,
 *
 * R of degree 2: minimax for the error relative to log(1 + f), which is 2^−30.2 (before rounding).
 */
export function logOfReduced(e: number, f: number, correction: number): number {
  const r = Math.fround;
  const s = r(f / r(2 + f));
  const z = r(s * s);
  const series = r(z * r(r(z * r(r(z * 0.29871463775634766) + 0.3997756838798523)) + 0.6666677594184875));
  const halfSquare = 0.5 * r(f * f);
  const bend = r(halfSquare - r(s * r(halfSquare + series)));
  const small = r(r(e * LN2_LOW) + correction);
  return r(e * LN2_HIGH + r(f - r(bend - small)));
}
