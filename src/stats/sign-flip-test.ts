import { checkList } from "./sample.js";
import type { Sample } from "./sample.js";
import type { SignFlipResult } from "./sign-flip.js";
import { MOST_EXACT_PAIRS, signFlipExact } from "./sign-flip-exact.js";
import { signFlipMonteCarlo, type MonteCarloOptions } from "./sign-flip-monte-carlo.js";

/**
 * The sign-flip test of paired differences: exact up to 20 pairs ({@link signFlipExact}), by seeded random patterns
 * above ({@link signFlipMonteCarlo}). The result names the method.
 *
 * @throws E_VALUE for no differences or one that is not finite
 */
export function signFlipTest(diffs: Sample, options: MonteCarloOptions = {}): SignFlipResult {
  checkList(diffs, "the sign-flip test");
  return diffs.length <= MOST_EXACT_PAIRS
    ? signFlipExact(diffs, options)
    : signFlipMonteCarlo(diffs, options);
}
