import { checkedOptions } from "../errors/index.js";
import { generator, type Seed } from "../random/index.js";
import type { Interval } from "./interval.js";
import { mean } from "./moments.js";
import { checkProbability, checkSample, checkWhole, MOST_DRAWS, type Sample } from "./sample.js";
import { MOST_EXACT_PAIRS } from "./sign-flip-exact.js";

/** How {@link signFlipInterval} draws subsets above 20 pairs. */
export interface SubsetOptions {
  /** The number of random subsets, 99 999 by default. */
  readonly draws?: number;
  /** The seed of the subsets, 0 by default. */
  readonly seed?: Seed;
}

/**
 * The inverted sign-flip test: the 1 − alpha interval of the centres of symmetry that the test does not reject. Its ends
 * are the k-th smallest and the k-th largest mean of a non-empty subset of the differences, k = ⌊alpha/2·2ⁿ⌋, because
 * each gap between neighbouring subset means holds the centre with probability 2⁻ⁿ. `undefined` when k = 0: with so few
 * pairs (five or fewer at 0.05) no finite interval has this confidence. Above 20 pairs m random subsets take the place of
 * all, with k = ⌊alpha/2·(m+1)⌋.
 *
 * Source: Hartigan, "Using subsample values as typical values", JASA 64 (1969).
 *
 * @throws E_VALUE for no differences, one that is not finite, or an alpha outside (0, 1)
 */
export function signFlipInterval(
  diffs: Sample,
  alpha = 0.05,
  options: SubsetOptions = {},
): Interval | undefined {
  const { draws = 99_999, seed = 0 } = checkedOptions("signFlipInterval", options);
  checkSample(diffs, "the sign-flip interval");
  checkProbability(alpha, "alpha");
  checkWhole(draws, "the number of draws", 1, MOST_DRAWS);
  const center = mean(diffs);
  const centered = Float64Array.from(diffs, (difference) => difference - center);
  const exact = diffs.length <= MOST_EXACT_PAIRS;
  const count = exact ? 2 ** diffs.length - 1 : draws;
  const k = Math.floor((alpha / 2) * (count + 1));
  if (k === 0) return undefined;
  const means = exact ? allSubsetMeans(centered) : randomSubsetMeans(centered, draws, seed);
  means.sort();
  return [center + means[k - 1], center + means[count - k]];
}

/** The means of all non-empty subsets; subset `mask` is subset `mask` without its highest member, and that member. */
function allSubsetMeans(values: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  const sizes = new Uint8Array(sums.length);
  for (let mask = 1; mask < sums.length; mask++) {
    const member = 31 - Math.clz32(mask);
    const rest = mask ^ (1 << member);
    sums[mask] = sums[rest] + values[member];
    sizes[mask] = sizes[rest] + 1;
  }
  for (let mask = 1; mask < sums.length; mask++) sums[mask] /= sizes[mask];
  return sums.subarray(1);
}

function randomSubsetMeans(values: Float64Array, draws: number, seed: Seed): Float64Array {
  const rng = generator(seed).stream("subsets");
  const means = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    let size = 0;
    while (size === 0) {
      let word = 0;
      for (let i = 0; i < values.length; i++) {
        word = i % 32 === 0 ? rng.uint32() : word >>> 1;
        if (word & 1) {
          sum += values[i];
          size++;
        }
      }
    }
    means[draw] = sum / size;
  }
  return means;
}
