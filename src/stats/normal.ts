import { checkNumbers, fail } from "../errors/index.js";

const SQRT_2PI = Math.sqrt(2 * Math.PI);

/** The density of the standard normal distribution, exp(−x²/2)/√(2π). */
export function normalPdf(x: number): number {
  checkNumbers("normalPdf", { x });
  return Math.exp(-0.5 * x * x) / SQRT_2PI;
}

/**
 * The distribution function Φ(x) of the standard normal distribution to a relative error of about
 * 1e-14, also far down the lower tail.
 */
export function normalCdf(x: number): number {
  checkNumbers("normalCdf", { x });
  if (Number.isNaN(x)) return NaN;
  const upper = normalPdf(x) * millsRatio(Math.abs(x));
  return x < 0 ? upper : 1 - upper;
}

/**
 * The inverse of {@link normalCdf}: the x with Φ(x) = p; ∓∞ at 0 and 1.
 *
 * Newton's method on ln(1 − Φ), which is concave, from √(−2·ln 2q), which lies above the root for the smaller tail
 * q: so every step falls towards it.
 *
 * @throws E_VALUE unless 0 ≤ p ≤ 1
 */
export function normalQuantile(p: number): number {
  checkNumbers("normalQuantile", { p });
  if (!(p >= 0 && p <= 1)) fail("E_VALUE", `a probability must lie between 0 and 1; found ${p}`);
  const tail = Math.min(p, 1 - p);
  if (tail === 0) return p === 0 ? -Infinity : Infinity;
  let x = Math.sqrt(Math.max(0, -2 * Math.log(2 * tail)));
  for (let i = 0; i < 100; i++) {
    const ratio = millsRatio(x);
    const logTail = -0.5 * x * x + Math.log(ratio / SQRT_2PI);
    const next = x + (logTail - Math.log(tail)) * ratio;
    if (!(next < x)) break;
    x = next;
  }
  return p < 0.5 ? -x : x;
}

/**
 * Mills' ratio (1 − Φ(x))/φ(x) for x ≥ 0. Below 2 through Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …), above through
 * Laplace's continued fraction 1/(x + 1/(x + 2/(x + 3/(x + …)))).
 *
 * Source: Abramowitz and Stegun, 26.2.11 and 26.2.14.
 */
function millsRatio(x: number): number {
  if (x < 2) {
    let term = x;
    let sum = x;
    for (let k = 3; term > 1e-17 * sum; k += 2) {
      term *= (x * x) / k;
      sum += term;
    }
    return 0.5 * SQRT_2PI * Math.exp(0.5 * x * x) - sum;
  }
  let rest = x;
  for (let k = Math.ceil(30 + 700 / (x * x)); k >= 1; k--) rest = x + k / rest;
  return 1 / rest;
}
