import { checkList, checkSample, type Sample } from "./sample.js";

/**
 * The Hodges–Lehmann estimate of the centre: the median of the Walsh averages (dᵢ + dⱼ)/2, i ≤ j. It needs n(n+1)/2
 * numbers of memory.
 *
 * Source: Hodges and Lehmann, "Estimates of location based on rank tests", Annals of Mathematical Statistics 34 (1963).
 *
 * @throws E_VALUE for no differences or one that is not finite
 */
export function hodgesLehmann(diffs: Sample): number {
  checkList(diffs, "the Hodges–Lehmann estimate");
  checkSample(diffs, "the Hodges–Lehmann estimate");
  const n = diffs.length;
  const averages = new Float64Array((n * (n + 1)) / 2);
  let next = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) averages[next++] = diffs[i] / 2 + diffs[j] / 2;
  }
  averages.sort();
  const middle = next >> 1;
  return next % 2 === 1 ? averages[middle] : averages[middle - 1] / 2 + averages[middle] / 2;
}
