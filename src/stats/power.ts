import { checkedOptions, checkNumbers, fail } from "../errors/index.js";
import { increasingRoot } from "./increasing-root.js";
import { LARGEST_NONCENTRALITY, noncentralTCdf } from "./noncentral-t.js";
import { normalCdf, normalQuantile } from "./normal.js";
import { checkProbability } from "./sample.js";
import { studentTQuantile } from "./student-t.js";

/** From here on the t distributions are replaced by normal ones, which changes the power by less than 1e-6. */
const MANY_PAIRS = 1_000_000;

/**
 * The power of the two-sided paired t test: the probability that n pairs with standardised effect dz give p ≤ alpha,
 * P(|T| ≥ t(1 − alpha/2, n−1)) for the non-central t with n − 1 degrees of freedom and non-centrality dz·√n. Both tails
 * count. n may be fractional.
 *
 * Source: Cohen, "Statistical Power Analysis for the Behavioral Sciences" (1988), chapter 2.
 *
 * @throws E_VALUE unless n > 1, dz is finite and 0 < alpha < 1
 */
export function power(options: { n: number; dz: number; alpha?: number }): number {
  const { n, dz, alpha = 0.05 } = checkedOptions("power", options);
  checkNumbers("power", { n, dz, alpha });
  checkPairs(n);
  checkProbability(alpha, "alpha");
  if (!Number.isFinite(dz)) fail("E_VALUE", `the effect dz must be finite; found ${dz}`);
  const delta = Math.abs(dz) * Math.sqrt(n);
  if (n > MANY_PAIRS) {
    const z = normalQuantile(alpha / 2);
    return normalCdf(z + delta) + normalCdf(z - delta);
  }
  const critical = -studentTQuantile(alpha / 2, n - 1);
  if (delta > LARGEST_NONCENTRALITY && delta > 20 * critical) return 1;
  return 1 - noncentralTCdf(critical, n - 1, delta) + noncentralTCdf(-critical, n - 1, delta);
}

/**
 * The smallest standardised effect dz that n pairs find with the given power, by default 80 % (the "80 % MDE"): the dz
 * at which {@link power} is `power`. Times the standard deviation of the differences it is in the metric's unit.
 *
 * @throws E_VALUE unless n > 1 and 0 < alpha < power < 1
 */
export function detectableEffect(options: { n: number; alpha?: number; power?: number }): number {
  const { n, alpha = 0.05, power: wanted = 0.8 } = checkedOptions("detectableEffect", options);
  checkNumbers("detectableEffect", { n, alpha, power: wanted });
  checkPairs(n);
  checkPower(alpha, wanted);
  const lacking = (dz: number): number => power({ n, dz, alpha }) - wanted;
  let high = 1 / Math.sqrt(n);
  while (lacking(high) < 0) high *= 2;
  return increasingRoot(lacking, 0, high);
}

/**
 * The number of pairs at which an effect dz is found with the given power, by default 80 %, as a real number: round it
 * up for a plan. At least 2; ∞ when dz is 0.
 *
 * @throws E_VALUE unless dz is finite and 0 < alpha < power < 1
 */
export function neededPairs(options: { dz: number; alpha?: number; power?: number }): number {
  const { dz, alpha = 0.05, power: wanted = 0.8 } = checkedOptions("neededPairs", options);
  checkNumbers("neededPairs", { dz, alpha, power: wanted });
  if (!Number.isFinite(dz)) fail("E_VALUE", `the effect dz must be finite; found ${dz}`);
  checkPower(alpha, wanted);
  if (dz === 0) return Infinity;
  const lacking = (n: number): number => power({ n, dz, alpha }) - wanted;
  let high = 2;
  while (lacking(high) < 0) {
    high *= 2;
    if (high === Infinity) return Infinity;
  }
  return high === 2 ? 2 : increasingRoot(lacking, high / 2, high);
}

function checkPairs(n: number): void {
  if (!(n > 1 && n < Infinity)) fail("E_VALUE", `power needs a finite number of pairs above 1; found ${n}`);
}

function checkPower(alpha: number, wanted: number): void {
  checkProbability(alpha, "alpha");
  if (!(wanted > alpha && wanted < 1)) {
    fail("E_VALUE", `the power must lie between alpha = ${alpha} and 1; found ${wanted}`);
  }
}
