import { checkNumbers } from "../errors/index.js";
import { incompleteBeta } from "./incomplete-beta.js";
import type { Interval } from "./interval.js";
import { checkProbability, checkWhole } from "./sample.js";

/**
 * The successes in n independent trials that are to be expected when each succeeds with probability p: the smallest central
 * range [low, high] of whole numbers with P(X < low) ≤ (1 − coverage)/2 and P(X > high) ≤ (1 − coverage)/2, where
 * P(X > k) = I_p(k + 1, n − k).
 *
 * Source: DLMF 8.17.5.
 *
 * @throws E_VALUE unless n ≥ 1 is whole and 0 < p < 1, 0 < coverage < 1
 */
export function binomialRange(n: number, p: number, coverage = 0.99): Interval {
  checkNumbers("binomialRange", { n, p, coverage });
  checkWhole(n, "the number of trials", 1);
  checkProbability(p, "the probability of success");
  checkProbability(coverage, "the coverage");
  const tail = (1 - coverage) / 2;
  const above = (k: number): number => (k < 0 ? 1 : k >= n ? 0 : incompleteBeta(p, 1 - p, k + 1, n - k));
  const below = (k: number): number => (k <= 0 ? 0 : incompleteBeta(1 - p, p, n - k + 1, k));
  const low = lastWhole(n, (k) => below(k) <= tail);
  const high = n - lastWhole(n, (k) => above(n - k) <= tail);
  return [low, high];
}

/** The last k from 0 to n for which something holds that holds up to some k, and at 0. */
function lastWhole(n: number, holds: (k: number) => boolean): number {
  let [known, beyond] = [0, n + 1];
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (holds(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}
