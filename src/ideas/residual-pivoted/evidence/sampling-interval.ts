/** A mean of independent bounded draws beside what it should be. */
export interface SampledMean {
  readonly draws: number;
  readonly mean: number;
  readonly expected: number;
  /** The variance of one draw. */
  readonly variance: number;
  /** The largest distance of a possible draw from `expected`. */
  readonly range: number;
}

/**
 * How far the mean lies from `expected` beyond `allowance`, what the arithmetic of the draws may be off by.
 */
function excess({ mean, expected }: SampledMean, allowance: number): number {
  return Math.max(0, Math.abs(mean - expected) - allowance);
}

/**
 * A bound on the probability that the mean lies as far from `expected` as it does, by Bernstein's inequality:
 * 2 exp(−N t² / (2σ² + 2bt/3)) with t = |mean − expected| − allowance, at most 1. Unlike a normal approximation it
 * holds for every N and every skewed law. The least of m such bounds, times m, is a family-wise p-value.
 *
 * Source: Boucheron, Lugosi, Massart, Concentration Inequalities (2013), corollary 2.11.
 */
export function bernsteinTail(sampled: SampledMean, allowance: number): number {
  const { draws, variance, range } = sampled;
  const distance = excess(sampled, allowance);
  if (distance === 0) return 1;
  return Math.min(1, 2 * Math.exp((-draws * distance ** 2) / (2 * variance + (2 * range * distance) / 3)));
}

/**
 * The distance of the mean from `expected` beyond `allowance`, in half-widths of the interval in which it lies with
 * probability 1 − alpha at least: the t at which {@link bernsteinTail} is alpha, the positive root of
 * N t² = log(2/alpha) (2σ² + 2bt/3). At most 1 inside the interval; 0 when there is no distance.
 */
export function halfWidths(sampled: SampledMean, allowance: number, alpha: number): number {
  const { draws, variance, range } = sampled;
  const level = Math.log(2 / alpha) / draws;
  const linear = (level * range) / 3;
  const distance = excess(sampled, allowance);
  return distance === 0 ? 0 : distance / (linear + Math.sqrt(linear ** 2 + 2 * level * variance));
}

/** The distance from `expected` in standard errors, for reading; 0 when the two are equal. */
export function standardScore({ draws, mean, expected, variance }: SampledMean): number {
  return mean === expected ? 0 : (mean - expected) / Math.sqrt(variance / draws);
}
