import type { Interval } from "./interval.js";
import { mean, sampleStd } from "./moments.js";
import { checkProbability, checkSample, type Sample } from "./sample.js";
import { studentTQuantile, studentTTwoSided } from "./student-t.js";

/** The outcome of a t test. */
export interface TResult {
  readonly t: number;
  readonly df: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * The paired t test: t = m/(s/√n) for the mean m and the sample standard deviation s of n differences, two-sided p at
 * n − 1 degrees of freedom. Equal differences leave no spread: then t is ±∞ and p is 0, or t is 0 and p is 1 when all
 * are 0.
 *
 * Source: Student, "The probable error of a mean", Biometrika 6 (1908).
 *
 * @throws E_VALUE for fewer than two differences or one that is not finite
 */
export function pairedT(diffs: Sample): TResult {
  checkSample(diffs, "the paired t test", 2);
  const center = mean(diffs);
  const df = diffs.length - 1;
  if (center === 0) return { t: 0, df, p: 1 };
  const t = center / standardError(diffs);
  return { t, df, p: studentTTwoSided(t, df) };
}

/**
 * The 1 − alpha interval m ± t(1 − alpha/2, n−1)·s/√n for the mean difference; [m, m] when all differences are equal.
 *
 * @throws E_VALUE for fewer than two differences, one that is not finite, or an alpha outside (0, 1)
 */
export function tInterval(diffs: Sample, alpha = 0.05): Interval {
  checkSample(diffs, "the t interval", 2);
  checkProbability(alpha, "alpha");
  const center = mean(diffs);
  const half = -studentTQuantile(alpha / 2, diffs.length - 1) * standardError(diffs);
  return [center - half, center + half];
}

/**
 * The reports' `mde`: q·s/√n, where q is the 0.975 quantile of Student's t with n − 1 degrees of freedom rounded to three
 * decimals, as a printed table has it (2.365 for n = 8). It is the half-width of the 95 % interval; an effect of this
 * size is found about half of the time. {@link detectableEffect} gives the effect that is found with a stated power.
 *
 * @throws E_VALUE for fewer than two differences or one that is not finite
 */
export function halfWidthMde(diffs: Sample): number {
  checkSample(diffs, "the half-width", 2);
  const quantile = Math.round(studentTQuantile(0.975, diffs.length - 1) * 1000) / 1000;
  return quantile * standardError(diffs);
}

/** s/√n with the sample standard deviation s; E_VALUE for fewer than two values. */
export function standardError(values: Sample): number {
  return sampleStd(values) / Math.sqrt(values.length);
}
