/*
 * The range reduction that exp, expm1, tanh and sigmoid share: x = n·ln 2 + r with whole n and |r| ≤ ½ ln 2 (a little
 * more by rounding), so that exp(x) = 2^n·(1 + s) with s = exp(r) − 1. All operations are float32; |x| ≤ 105.
 */

/** ln 2 in two parts. The first has 16 bits, so that its product with a whole number of 8 bits is exact. */
const LN2_HIGH = 0.693145751953125;
const LN2_LOW = 0.000001428606765330187;
const LOG2_E = 1.4426950216293335;

/** Adding and subtracting 1.5·2^23 rounds a float32 to a whole number, ties to even. */
const ROUNDER = 12582912;

/** n: the whole number nearest to x/ln 2. */
export function reductionCount(x: number): number {
  return Math.fround(Math.fround(x * LOG2_E) + ROUNDER) - ROUNDER;
}

/** r = x − n·ln 2. The first product and difference are exact. */
export function reductionRest(x: number, n: number): number {
  return Math.fround(x - n * LN2_HIGH - Math.fround(n * LN2_LOW));
}

/**
 * c = exp(r) − 1 − r = r²·q(r) for |r| ≤ 0.3467, with q of degree 4: minimax for the error relative to exp(r), which is
 * 2^−28.2 (before rounding). Evaluated in pairs, (c₀ + c₁r) + r²·((c₂ + c₃r) + r²·c₄), which a processor finishes sooner
 * than term after term.
 */
export function expCurve(r: number): number {
  const f = Math.fround;
  const z = f(r * r);
  const high = f(f(f(r * 0.00836916547268629) + 0.04166810214519501) + f(z * 0.0013837979640811682));
  const q = f(f(f(r * 0.16666516661643982) + 0.4999999403953552) + f(z * high));
  return f(z * q);
}

/** s = exp(r) − 1 = r + c, see {@link expCurve}. */
export function expm1Rest(r: number): number {
  return Math.fround(r + expCurve(r));
}
