import { checkNumbers, fail } from "../errors/index.js";
import { mean } from "./moments.js";
import { standardError } from "./paired-t.js";
import { checkSample, type Sample } from "./sample.js";
import { studentTCdf } from "./student-t.js";

/** The outcome of the two one-sided tests; `p` is the larger of the two. */
export interface TostResult {
  readonly p: number;
  readonly df: number;
  /** Against a mean of −margin or less. */
  readonly lower: { readonly t: number; readonly p: number };
  /** Against a mean of +margin or more. */
  readonly upper: { readonly t: number; readonly p: number };
}

/**
 * Two one-sided t tests for equivalence: small p says that the mean difference lies inside ±margin. With standard error
 * e = s/√n: p = max(P(T ≥ (m + margin)/e), P(T ≤ (m − margin)/e)) at n − 1 degrees of freedom. Equal differences leave
 * no doubt: p is 0 inside the margin and 1 on or outside it.
 *
 * Source: Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", Journal of
 * Pharmacokinetics and Biopharmaceutics 15 (1987).
 *
 * @throws E_VALUE for fewer than two differences, one that is not finite, or a margin that is not finite and positive
 */
export function tost(diffs: Sample, margin: number): TostResult {
  checkNumbers("tost", { margin });
  checkSample(diffs, "the equivalence test", 2);
  if (!(margin > 0 && margin < Infinity)) {
    fail("E_VALUE", `the margin of equivalence must be positive and finite; found ${margin}`);
  }
  const df = diffs.length - 1;
  const center = mean(diffs);
  const error = standardError(diffs);
  const oneSided = (distance: number): { t: number; p: number } => {
    const t = distance === 0 && error === 0 ? -Infinity : distance / error;
    return { t, p: studentTCdf(-t, df) };
  };
  const lower = oneSided(center + margin);
  const upper = oneSided(margin - center);
  return { p: Math.max(lower.p, upper.p), df, lower, upper: { t: -upper.t, p: upper.p } };
}
