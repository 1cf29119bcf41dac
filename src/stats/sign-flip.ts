import { fail, formatGiven } from "../errors/index.js";
import { checkSample, type Sample } from "./sample.js";

/** Which differences count as at least as extreme as those observed. */
export type Alternative = "two-sided" | "greater" | "less";

/** The outcome of a sign-flip test: `extreme` of `total` sign patterns reach the observed sum. */
export interface SignFlipResult {
  readonly p: number;
  readonly extreme: number;
  readonly total: number;
  readonly method: "exact" | "monte-carlo";
}

/** How far below the observed sum a sum still counts as equal to it, as a part of Σ|d|: rounding must not break ties. */
const TIE = 1e-12;

/**
 * The observed sum Σd and the rule by which the sum of a sign pattern counts as at least as extreme.
 *
 * @throws E_VALUE for no differences, a difference that is not finite, or a Σ|d| beyond the range of float64
 */
export function extremeRule(diffs: Sample, alternative: Alternative): (sum: number) => boolean {
  checkSample(diffs, "the sign-flip test");
  let observed = 0;
  let size = 0;
  for (let i = 0; i < diffs.length; i++) {
    observed += diffs[i];
    size += Math.abs(diffs[i]);
  }
  if (size === Infinity) {
    fail("E_VALUE", "the differences add up to more than 1.8e308; scale them down, which leaves p as it is");
  }
  const slack = TIE * size;
  switch (alternative) {
    case "two-sided":
      return (sum) => Math.abs(sum) >= Math.abs(observed) - slack;
    case "greater":
      return (sum) => sum >= observed - slack;
    case "less":
      return (sum) => sum <= observed + slack;
    default:
      return fail(
        "E_VALUE",
        `the alternative must be "two-sided", "greater" or "less"; found ${formatGiven(alternative)}`,
      );
  }
}
