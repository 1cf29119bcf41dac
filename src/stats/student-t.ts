import { checkNumbers, fail } from "../errors/index.js";
import { incompleteBeta, logBetaPower } from "./incomplete-beta.js";
import { logBeta } from "./log-gamma.js";
import { normalCdf, normalQuantile } from "./normal.js";

/** From here on the distance from the normal distribution is a short series, and the continued fraction loses digits. */
const MANY_DF = 3000;
/** |t|/√df beyond which t² would overflow and the tail is a pure power of t. */
const FAR = 1e100;
/** The square of a normal deviate whose tail is below the smallest float64. */
const NO_TAIL = 1500;

/**
 * P(|T| ≥ |t|) for Student's t with df degrees of freedom: I_x(df/2, ½), x = df/(df + t²), to a relative error of about
 * 1e-13 however small it is (with 3000 degrees of freedom or more, 1e-8 beyond |t| = 20). df may be fractional; at df = ∞ it is the normal distribution's.
 *
 * Source: DLMF 8.17; from 3000 degrees of freedom on the expansion of Hill, "Algorithm 395: Student's
 * t-distribution", Communications of the ACM 13 (1970).
 *
 * @throws E_VALUE unless df > 0
 */
export function studentTTwoSided(t: number, df: number): number {
  checkNumbers("studentTTwoSided", { t, df });
  checkDf(df);
  const size = Math.abs(t);
  if (Number.isNaN(t)) return NaN;
  if (df === Infinity) return 2 * normalCdf(-size);
  if (df >= MANY_DF) return 2 * normalCdf(-normalDeviate(size, df));
  if (size / Math.sqrt(df) > FAR) return farTail(size, df);
  const [x, y] = betaArguments(size, df);
  return incompleteBeta(x, y, df / 2, 0.5);
}

/**
 * The distribution function P(T ≤ t) of Student's t with df degrees of freedom.
 *
 * @throws E_VALUE unless df > 0
 */
export function studentTCdf(t: number, df: number): number {
  checkNumbers("studentTCdf", { t, df });
  const tail = studentTTwoSided(t, df) / 2;
  return t > 0 ? 1 - tail : tail;
}

/**
 * The inverse of {@link studentTCdf}: the t with P(T ≤ t) = p; ∓∞ at 0 and 1, and where t would be beyond 1.8e308.
 * Newton's method on the logarithm of the tail over the logarithm of t, kept inside a bracket.
 *
 * @throws E_VALUE unless 0 ≤ p ≤ 1 and df > 0
 */
export function studentTQuantile(p: number, df: number): number {
  checkNumbers("studentTQuantile", { p, df });
  checkDf(df);
  if (df === Infinity || !(p > 0 && p < 1)) return normalQuantile(p);
  const twoSided = 2 * Math.min(p, 1 - p);
  if (twoSided === 1) return 0;
  const t = solveTail(twoSided, df);
  return p < 0.5 ? -t : t;
}

/** The t > 0 with P(|T| ≥ t) = p. */
function solveTail(p: number, df: number): number {
  let low = 0;
  let high = 1;
  while (studentTTwoSided(high, df) > p) {
    low = high;
    high *= 2;
    if (high === Infinity) return Infinity;
  }
  let t = (low + high) / 2;
  for (let i = 0; i < 200; i++) {
    const tail = studentTTwoSided(t, df);
    if (tail > p) low = t;
    else high = t;
    let next = t * Math.exp((Math.log(tail / p) * tail) / logSlope(t, df, tail));
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    if (Math.abs(next - t) <= 2.3e-16 * t) return next;
    t = next;
  }
  return t;
}

/** −d P(|T| ≥ t)/d ln t = 2·xᵃ·y^½/B(a, ½) with a = df/2. */
function logSlope(t: number, df: number, tail: number): number {
  if (t / Math.sqrt(df) > FAR) return df * tail;
  const [x, y] = betaArguments(t, df);
  return 2 * Math.exp(logBetaPower(x, y, df / 2, 0.5));
}

/** The leading term of I_x(a, ½) for small x: xᵃ/(a·B(a, ½)) with a = df/2 and x = df/t². */
function farTail(t: number, df: number): number {
  const a = df / 2;
  return Math.exp(a * Math.log(df) - df * Math.log(t) - logBeta(a, 0.5)) / a;
}

/**
 * The standard normal deviate with the tail that t has at df degrees of freedom: with a = df − ½, b = 48a² and
 * z² = a·ln(1 + t²/df), u = z + (z³ + 3z)/b − (4z⁷ + 33z⁵ + 240z³ + 855z)/(10b²).
 */
function normalDeviate(t: number, df: number): number {
  const a = df - 0.5;
  const b = 48 * a * a;
  const square = a * Math.log1p((t / df) * t);
  if (square > NO_TAIL) return Infinity;
  const second = (((4 * square + 33) * square + 240) * square + 855) / (10 * b);
  return Math.sqrt(square) * (1 + (square + 3 - second) / b);
}

/** df/(df + t²) and t²/(df + t²), each without cancellation. */
function betaArguments(t: number, df: number): [number, number] {
  const ratio = (t / df) * t;
  return ratio < 1 ? [1 / (1 + ratio), ratio / (1 + ratio)] : [1 / (1 + ratio), 1 / (1 + 1 / ratio)];
}

function checkDf(df: number): void {
  if (!(df > 0)) fail("E_VALUE", `degrees of freedom must be positive; found ${df}`);
}
