import { checkList } from "./sample.js";
import { checkedOptions, checkNumbers, fail } from "../errors/index.js";
import type { Sample } from "./sample.js";
import { extremeRule, type Alternative, type SignFlipResult } from "./sign-flip.js";

/** The most pairs that {@link signFlipExact} takes: 2²⁰ sign patterns. */
export const MOST_EXACT_PAIRS = 20;
/** Sums are made afresh after 2¹⁰ flips, so that rounding stays far below the tolerance for ties. */
const BITS_BETWEEN_SUMS = 10;

/**
 * The exact sign-flip test of paired differences d: under the hypothesis that each difference is as likely to have the
 * other sign, p is the part of the 2ⁿ sign patterns σ with |Σσd| ≥ |Σd| (or Σσd ≥ Σd, ≤ Σd for the one-sided
 * alternatives). Patterns are visited in Gray order, one sign at a time; sums within 1e-12·Σ|d| are ties. Zeros stay
 * in; when all differences are 0, p is 1. The smallest p that n pairs can give is 2/2ⁿ.
 *
 * Source: Fisher, "The Design of Experiments" (1935), section 21.
 *
 * @throws E_VALUE for no or more than 20 differences, or one that is not finite
 */
export function signFlipExact(
  diffs: Sample,
  options: { readonly alternative?: Alternative } = {},
): SignFlipResult & { readonly method: "exact" } {
  const { alternative = "two-sided" } = checkedOptions("signFlipExact", options);
  checkList(diffs, "the sign-flip test");
  const n = diffs.length;
  if (n > MOST_EXACT_PAIRS) {
    fail(
      "E_VALUE",
      `the exact sign-flip test takes up to ${MOST_EXACT_PAIRS} pairs; found ${n}. Use signFlipMonteCarlo`,
    );
  }
  const isExtreme = extremeRule(diffs, alternative);
  const signs = new Int8Array(n).fill(1);
  const bits = Math.min(n, BITS_BETWEEN_SUMS);
  let extreme = 0;
  for (let block = 0; block < 2 ** (n - bits); block++) {
    for (let i = bits; i < n; i++) signs[i] = (block >> (i - bits)) & 1 ? -1 : 1;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += signs[i] * diffs[i];
    if (isExtreme(sum)) extreme++;
    for (let step = 1; step < 2 ** bits; step++) {
      const flipped = 31 - Math.clz32(step & -step);
      signs[flipped] = -signs[flipped];
      sum += 2 * signs[flipped] * diffs[flipped];
      if (isExtreme(sum)) extreme++;
    }
  }
  const total = 2 ** n;
  return { p: extreme / total, extreme, total, method: "exact" };
}

/** The smallest two-sided p that the sign-flip test can give with n pairs, 2/2ⁿ (1 for n = 1; NaN without pairs). */
export function smallestSignFlipP(n: number): number {
  checkNumbers("smallestSignFlipP", { n });
  return n >= 1 ? 2 ** (1 - n) : NaN;
}

/** The fewest pairs whose smallest two-sided sign-flip p-value, 2/2ⁿ, lies below alpha. */
export function fewestPairs(alpha: number): number {
  checkNumbers("fewestPairs", { alpha });
  if (!(alpha > 0))
    fail(
      "E_VALUE",
      `no number of pairs gives a p-value below alpha = ${String(alpha)}; alpha must be above 0`,
    );
  let pairs = 1;
  while (smallestSignFlipP(pairs) >= alpha) pairs++;
  return pairs;
}
