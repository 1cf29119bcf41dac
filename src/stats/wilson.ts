import { checkNumbers, fail, formatGiven } from "../errors/index.js";
import type { Interval } from "./interval.js";
import { normalQuantile } from "./normal.js";
import { checkProbability, checkSample, checkWhole, type Sample } from "./sample.js";

/**
 * Wilson's 1 − alpha score interval for a proportion of `successes` (ties may count half) in n trials:
 * (p + z²/2n ± z·√(p(1−p)/n + z²/4n²))/(1 + z²/n).
 *
 * Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 *
 * @throws E_VALUE unless n ≥ 1 is whole, 0 ≤ successes ≤ n, and 0 < alpha < 1
 */
export function wilsonInterval(successes: number, n: number, alpha = 0.05): Interval {
  checkNumbers("wilsonInterval", { successes, n, alpha });
  checkWhole(n, "the number of trials", 1);
  checkProbability(alpha, "alpha");
  if (!(successes >= 0 && successes <= n)) {
    fail("E_VALUE", `the successes must lie between 0 and the number of trials ${n}; found ${successes}`);
  }
  const z = normalQuantile(alpha / 2);
  const p = successes / n;
  const scale = 1 + (z * z) / n;
  const center = (p + (z * z) / (2 * n)) / scale;
  const half = (-z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / scale;
  return [successes === 0 ? 0 : center - half, successes === n ? 1 : center + half];
}

/** How often the idea beats the baseline. */
export interface Improvement {
  /** (wins + ties/2)/n. */
  readonly probability: number;
  readonly wins: number;
  readonly ties: number;
  readonly interval: Interval;
}

/**
 * The probability that the idea beats the baseline on a seed, estimated from the differences idea − baseline with ties
 * counted half, and its Wilson interval.
 *
 * @param direction - whether a lower or a higher metric is better
 * @throws E_VALUE for no differences, one that is not finite, or an alpha outside (0, 1)
 */
export function probabilityOfImprovement(
  diffs: Sample,
  direction: "lower" | "higher",
  alpha = 0.05,
): Improvement {
  checkSample(diffs, "the probability of improvement");
  if (direction !== "lower" && direction !== "higher")
    fail("E_VALUE", `the better direction must be "lower" or "higher"; found ${formatGiven(direction)}`);
  const better = direction === "lower" ? -1 : 1;
  let wins = 0;
  let ties = 0;
  for (let i = 0; i < diffs.length; i++) {
    if (better * diffs[i] > 0) wins++;
    else if (diffs[i] === 0) ties++;
  }
  const n = diffs.length;
  const successes = wins + ties / 2;
  return { probability: successes / n, wins, ties, interval: wilsonInterval(successes, n, alpha) };
}
