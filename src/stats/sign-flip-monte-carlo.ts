import { checkedOptions } from "../errors/index.js";
import { generator, type Seed } from "../random/index.js";
import { checkWhole, MOST_DRAWS, type Sample } from "./sample.js";
import { extremeRule, type Alternative, type SignFlipResult } from "./sign-flip.js";

/** How {@link signFlipMonteCarlo} draws. */
export interface MonteCarloOptions {
  /** The number of random sign patterns, 99 999 by default. */
  readonly draws?: number;
  /** The seed of the patterns, 0 by default. */
  readonly seed?: Seed;
  readonly alternative?: Alternative;
}

/**
 * The sign-flip test by random sign patterns, for more pairs than can be enumerated: p = (b+1)/(m+1), where b of m
 * patterns are at least as extreme as the data. Counting the data themselves as one more pattern makes p valid: it
 * is never 0. `extreme` is b and `total` m. The same seed gives the same p everywhere.
 *
 * Source: Davison and Hinkley, "Bootstrap Methods and their Application" (1997), section 4.2.
 *
 * @throws E_VALUE for no differences, one that is not finite, or a number of draws that is not a whole number ≥ 1
 */
export function signFlipMonteCarlo(
  diffs: Sample,
  options: MonteCarloOptions = {},
): SignFlipResult & { readonly method: "monte-carlo" } {
  const {
    draws = 99_999,
    seed = 0,
    alternative = "two-sided",
  } = checkedOptions("signFlipMonteCarlo", options);
  checkWhole(draws, "the number of draws", 1, MOST_DRAWS);
  const isExtreme = extremeRule(diffs, alternative);
  const rng = generator(seed).stream("sign-flip");
  let extreme = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    let word = 0;
    for (let i = 0; i < diffs.length; i++) {
      word = i % 32 === 0 ? rng.uint32() : word >>> 1;
      sum += word & 1 ? diffs[i] : -diffs[i];
    }
    if (isExtreme(sum)) extreme++;
  }
  return { p: (extreme + 1) / (draws + 1), extreme, total: draws, method: "monte-carlo" };
}
