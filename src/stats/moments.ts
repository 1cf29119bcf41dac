import { fail } from "../errors/index.js";
import { checkList, checkSample, type Sample } from "./sample.js";

/**
 * The arithmetic mean Σx/n. A second pass adds the mean of what is left over, so that the mean of equal values is
 * that value.
 *
 * @throws E_VALUE for no values, a value that is not finite, or a sum beyond the range of float64
 */
export function mean(values: Sample): number {
  checkSample(values, "the mean");
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += values[i];
  if (!Number.isFinite(sum)) fail("E_VALUE", "the sum of the values is beyond 1.8e308; scale them down");
  const first = sum / n;
  let rest = 0;
  for (let i = 0; i < n; i++) rest += values[i] - first;
  return first + rest / n;
}

/**
 * The population standard deviation √(Σ(x−m)²/n).
 *
 * @throws E_VALUE as {@link mean}
 */
export function populationStd(values: Sample): number {
  checkList(values, "the standard deviation");
  return spread(values, values.length);
}

/**
 * The sample standard deviation √(Σ(x−m)²/(n−1)).
 *
 * @throws E_VALUE for fewer than two values, otherwise as {@link mean}
 */
export function sampleStd(values: Sample): number {
  checkSample(values, "the sample standard deviation", 2);
  return spread(values, values.length - 1);
}

/** √(Σ(x−m)²/divisor), scaled by the largest deviation so that no square leaves the range of float64. */
function spread(values: Sample, divisor: number): number {
  const center = mean(values);
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i] - center));
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const scaled = (values[i] - center) / largest;
    sum += scaled * scaled;
  }
  return largest * Math.sqrt(sum / divisor);
}
