import { checkNumbers, fail } from "../errors/index.js";
import { incompleteBeta, logBetaPower } from "./incomplete-beta.js";
import { logGamma } from "./log-gamma.js";
import { normalCdf } from "./normal.js";
import { studentTCdf } from "./student-t.js";

/** The largest |delta| that {@link noncentralTCdf} takes. */
export const LARGEST_NONCENTRALITY = 1000;

/**
 * The distribution function P(T ≤ t) of the non-central t distribution: T = (Z + delta)/√(V/df), Z standard
 * normal, V chi-squared with df degrees of freedom. For t ≥ 0, with x = t²/(df + t²) and λ = delta²/2,
 *
 *     P = Φ(−delta) + ½·Σⱼ [ pⱼ·Iₓ(j+½, df/2) + qⱼ·Iₓ(j+1, df/2) ],
 *     pⱼ = e^−λ·λʲ/j!,   qⱼ = e^−λ·λʲ·delta/(√2·Γ(j+3/2)),
 *
 * and P(t; delta) = 1 − P(−t; −delta) below 0. The sum runs over the terms within nine standard deviations of the
 * Poisson weights pⱼ. The absolute error is about 1e-13 for |delta| ≤ 40, and 1e-9 at 1000.
 *
 * Source: Lenth, "Algorithm AS 243", Applied Statistics 38 (1989), equation 1.
 *
 * @throws E_VALUE unless df > 0 is finite and |delta| ≤ 1000
 */
export function noncentralTCdf(t: number, df: number, delta: number): number {
  checkNumbers("noncentralTCdf", { t, df, delta });
  if (!(df > 0 && df < Infinity))
    fail("E_VALUE", `degrees of freedom must be positive and finite; found ${df}`);
  if (!(Math.abs(delta) <= LARGEST_NONCENTRALITY)) {
    fail("E_VALUE", `the non-centrality must lie within ±${LARGEST_NONCENTRALITY}; found ${delta}`);
  }
  if (Number.isNaN(t)) return NaN;
  if (delta === 0) return studentTCdf(t, df);
  if (t < 0) return 1 - atLeastZero(-t, df, -delta);
  return atLeastZero(t, df, delta);
}

function atLeastZero(t: number, df: number, delta: number): number {
  if (t === Infinity) return 1;
  const ratio = (t / df) * t;
  const sum = ratio > 0 ? weightedBetas(1 / (1 + 1 / ratio), 1 / (1 + ratio), df / 2, delta) : 0;
  return Math.min(1, Math.max(0, normalCdf(-delta) + 0.5 * sum));
}

function weightedBetas(x: number, y: number, b: number, delta: number): number {
  const lambda = (delta * delta) / 2;
  const logLambda = 2 * Math.log(Math.abs(delta)) - Math.LN2;
  const width = 9 * Math.sqrt(lambda);
  const first = Math.max(0, Math.floor(lambda - width - 10));
  const last = Math.ceil(lambda + width + 40);
  let even = incompleteBeta(x, y, last + 1.5, b);
  let odd = incompleteBeta(x, y, last + 2, b);
  let sum = 0;
  for (let j = last; j >= first; j--) {
    even += betaStep(x, y, j + 0.5, b);
    odd += betaStep(x, y, j + 1, b);
    const p = Math.exp(j * logLambda - lambda - logGamma(j + 1));
    const q = (Math.exp(j * logLambda - lambda - logGamma(j + 1.5)) * delta) / Math.SQRT2;
    sum += p * even + q * odd;
  }
  return sum;
}

/** Iₓ(a, b) − Iₓ(a+1, b) = xᵃ·yᵇ/(a·B(a, b)) (DLMF 8.17.20). */
function betaStep(x: number, y: number, a: number, b: number): number {
  return Math.exp(logBetaPower(x, y, a, b)) / a;
}
