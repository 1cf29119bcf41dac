import { checkNumbers, fail } from "../errors/index.js";
import { logGamma } from "./log-gamma.js";
import { mean, populationStd, sampleStd } from "./moments.js";
import { checkList, checkSample, type Sample } from "./sample.js";

/**
 * The standardised mean difference of pairs, dz = m/s with the sample standard deviation s of the differences. Equal
 * differences give ±∞, or 0 when all are 0.
 *
 * Source: Cohen, "Statistical Power Analysis for the Behavioral Sciences" (1988), section 2.3.
 *
 * @throws E_VALUE for fewer than two differences or one that is not finite
 */
export function dz(diffs: Sample): number {
  checkSample(diffs, "dz", 2);
  const center = mean(diffs);
  return center === 0 ? 0 : center / sampleStd(diffs);
}

/**
 * Hedges' gz: {@link dz} without its bias in small samples, J(n−1)·dz. NaN for two differences, for which the correction
 * does not exist.
 *
 * @throws E_VALUE as {@link dz}
 */
export function hedgesGz(diffs: Sample): number {
  checkList(diffs, "Hedges' g");
  const effect = dz(diffs);
  return diffs.length === 2 ? NaN : hedgesCorrection(diffs.length - 1) * effect;
}

/**
 * Hedges' correction J(df) = Γ(df/2)/(√(df/2)·Γ((df−1)/2)).
 *
 * Source: Hedges, "Distribution theory for Glass's estimator of effect size", Journal of Educational Statistics 6
 * (1981), equation 6e.
 *
 * @throws E_VALUE unless df > 1
 */
export function hedgesCorrection(df: number): number {
  checkNumbers("hedgesCorrection", { df });
  if (!(df > 1)) fail("E_VALUE", `Hedges' correction needs more than one degree of freedom; found ${df}`);
  return Math.exp(logGamma(df / 2) - logGamma((df - 1) / 2)) / Math.sqrt(df / 2);
}

/**
 * Pearson's correlation of the two arms over the pairs. Pairing pays when it is positive:
 * Var(b − a) = Var(a) + Var(b) − 2·r·sd(a)·sd(b). NaN when an arm's values are all equal.
 *
 * @throws E_VALUE for lengths that differ, fewer than two pairs, or a value that is not finite
 */
export function pairCorrelation(a: Sample, b: Sample): number {
  for (const arm of [a, b]) checkList(arm, "the pair correlation");
  if (a.length !== b.length) {
    fail("E_VALUE", `pairs need two arms of equal length; found ${a.length} and ${b.length} values`);
  }
  checkSample(a, "the pair correlation", 2);
  checkSample(b, "the pair correlation", 2);
  const [centerA, centerB] = [mean(a), mean(b)];
  const [spreadA, spreadB] = [populationStd(a), populationStd(b)];
  if (spreadA === 0 || spreadB === 0) return NaN;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] - centerA) / spreadA) * ((b[i] - centerB) / spreadB);
  return Math.min(1, Math.max(-1, sum / a.length));
}
