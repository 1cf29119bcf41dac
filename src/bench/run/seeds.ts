import { fail } from "../../errors/index.js";
import { fewestPairs, smallestSignFlipP } from "../../stats/index.js";
import { MOST_SEEDS } from "../most-seeds.js";

/**
 * The seeds of a run: the first `n` when a number is given.
 *
 * @throws E_PLAN when there is none or more than {@link MOST_SEEDS}, when one is no whole number ≥ 0, or when one comes twice
 */
export function readSeeds(seeds: number | readonly number[]): readonly number[] {
  if (typeof seeds === "number") {
    if (!Number.isSafeInteger(seeds) || seeds < 1 || seeds > MOST_SEEDS) {
      fail("E_PLAN", `the number of seeds must be a whole number from 1 to ${MOST_SEEDS}; found ${seeds}`);
    }
    return Array.from({ length: seeds }, (_, seed) => seed);
  }
  if (seeds.length === 0) fail("E_PLAN", "a run needs at least one seed; found none");
  if (seeds.length > MOST_SEEDS) {
    fail("E_PLAN", `a run has at most ${MOST_SEEDS} seeds; found ${seeds.length}. Ask for fewer`);
  }
  const wrong = seeds.find((seed) => !Number.isSafeInteger(seed) || seed < 0);
  if (wrong !== undefined) fail("E_PLAN", `a seed must be a whole number ≥ 0; found ${wrong}`);
  const twice = seeds.find((seed, at) => seeds.indexOf(seed) < at);
  if (twice !== undefined) fail("E_PLAN", `each seed may come once; seed ${twice} comes twice`);
  return [...seeds];
}

/**
 * @param comparisons comparisons made together: the smallest p that Holm's rule can give one of them is so many times larger
 * @throws E_PLAN when so many pairs can never reach alpha
 */
export function requireReachableAlpha(pairs: number, alpha: number, comparisons = 1): void {
  const smallest = smallestSignFlipP(pairs) * comparisons;
  if (smallest >= alpha) {
    const together = comparisons === 1 ? "" : ` in a family of ${comparisons} comparisons`;
    const times = comparisons === 1 ? "" : `${comparisons}·`;
    fail(
      "E_PLAN",
      `with ${pairs} paired seed${pairs === 1 ? "" : "s"}${together} the smallest two-sided p-value is ${times}2/2^${pairs} = ` +
        `${smallest}, which is not below ${alpha}: no outcome could be significant. Ask for at least ` +
        `${fewestPairs(alpha / comparisons)} seeds, or use the preset 'quick' for a smoke run without a verdict`,
    );
  }
}
