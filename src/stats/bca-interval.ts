import { fail } from "../errors/index.js";
import { mean } from "./moments.js";
import { normalCdf, normalQuantile } from "./normal.js";
import { checkProbability, checkSample, type Sample } from "./sample.js";

/** The most differences that {@link bcaInterval} takes: 8⁸ resamples, of which 6435 differ. */
export const MOST_BCA_PAIRS = 8;
const TIE = 1e-12;

/** A bootstrap interval; `degenerate` when the differences are all equal and it is only their value. */
export interface BcaInterval {
  readonly low: number;
  readonly high: number;
  readonly degenerate: boolean;
}

/**
 * The bias-corrected and accelerated bootstrap interval of the mean by full enumeration: all nⁿ resamples, counted as
 * multisets with their multiplicities. z₀ is the normal quantile of the part of resample means below m, ties counted
 * half; the acceleration is Σu³/(6·(Σu²)^1.5), u the jackknife deviations; the ends are the smallest resample means
 * whose cumulative probability reaches Φ(z₀ + (z₀+z)/(1 − a(z₀+z))), z = Φ⁻¹(alpha/2) and Φ⁻¹(1 − alpha/2).
 * Equal differences give [m, m] and `degenerate`.
 *
 * Source: Efron, "Better bootstrap confidence intervals", JASA 82 (1987).
 *
 * @throws E_VALUE for no or more than 8 differences, one that is not finite, or an alpha outside (0, 1)
 */
export function bcaInterval(diffs: Sample, alpha = 0.05): BcaInterval {
  checkSample(diffs, "the BCa interval");
  checkProbability(alpha, "alpha");
  if (diffs.length > MOST_BCA_PAIRS) {
    fail("E_VALUE", `the enumerated BCa interval takes up to ${MOST_BCA_PAIRS} pairs; found ${diffs.length}`);
  }
  const center = mean(diffs);
  const centered = Array.from(diffs, (difference) => difference - center);
  const size = centered.reduce((sum, deviation) => sum + Math.abs(deviation), 0);
  if (size === 0) return { low: center, high: center, degenerate: true };
  const resamples = resampleMeans(centered).sort((a, b) => a.mean - b.mean);
  const total = centered.length ** centered.length;
  let below = 0;
  for (const { mean: resampled, weight } of resamples) {
    if (resampled < -TIE * size) below += weight;
    else if (resampled <= TIE * size) below += weight / 2;
  }
  const bias = normalQuantile(below / total);
  const acceleration = accelerationOf(centered, size);
  const end = (p: number): number => {
    const z = bias + normalQuantile(p);
    const shrink = 1 - acceleration * z;
    const level = shrink > 0 ? normalCdf(bias + z / shrink) : z > 0 ? 1 : 0;
    return center + quantile(resamples, level * total);
  };
  return { low: end(alpha / 2), high: end(1 - alpha / 2), degenerate: false };
}

interface Resample {
  readonly mean: number;
  /** In how many orders it occurs: n!/Πkᵢ!. */
  readonly weight: number;
}

function resampleMeans(values: readonly number[]): Resample[] {
  const n = values.length;
  const found: Resample[] = [];
  const take = (index: number, left: number, sum: number, weight: number): void => {
    if (index === n - 1) {
      found.push({ mean: (sum + left * values[index]) / n, weight });
      return;
    }
    let ways = weight;
    for (let count = 0; count <= left; count++) {
      take(index + 1, left - count, sum + count * values[index], ways);
      ways = (ways * (left - count)) / (count + 1);
    }
  };
  take(0, n, 0, 1);
  return found;
}

/** For the mean the jackknife deviations are proportional to the centered values themselves. */
function accelerationOf(centered: readonly number[], size: number): number {
  let squares = 0;
  let cubes = 0;
  for (const deviation of centered) {
    const scaled = deviation / size;
    squares += scaled ** 2;
    cubes += scaled ** 3;
  }
  return cubes / (6 * squares ** 1.5);
}

function quantile(sorted: readonly Resample[], needed: number): number {
  let reached = 0;
  for (const { mean: resampled, weight } of sorted) {
    reached += weight;
    if (reached >= needed) return resampled;
  }
  return sorted[sorted.length - 1].mean;
}
