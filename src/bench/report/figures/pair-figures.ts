import { halfWidthMde, mean, signFlipReport } from "../../../stats/index.js";
import { isBetter } from "./arm-figures.js";

/** The paired figures that the reports print, but for p; differences are idea − baseline. */
export interface PairFigures {
  readonly delta_mean: number;
  readonly idea_wins: number;
  readonly n_pairs: number;
  readonly per_seed_diffs: readonly number[];
  readonly mde: number;
  readonly mde_rel_pct: number;
}

/**
 * The paired figures of two arms. `idea_wins` counts strict improvements, a diverged seed losing and one without a value (NaN) winning
 * nothing; `mde` is
 * the half-width t·s/√n of the 95 % interval, with the t quantile rounded to three decimals, and
 * `mde_rel_pct` = 100·mde/mean(baseline). A seed that is not finite makes the other figures NaN, and so does
 * a single pair for `mde`.
 */
export function pairFigures(
  baseline: readonly number[],
  idea: readonly number[],
  direction: "lower" | "higher",
): PairFigures {
  const diffs = idea.map((value, seed) => value - baseline[seed]);
  const finite = diffs.every(Number.isFinite);
  const mde = finite && diffs.length > 1 ? halfWidthMde(diffs) : NaN;
  return {
    delta_mean: finite ? mean(diffs) : NaN,
    idea_wins: idea.filter(
      (value, seed) => !Number.isNaN(baseline[seed]) && isBetter(value, baseline[seed], direction),
    ).length,
    n_pairs: diffs.length,
    per_seed_diffs: diffs,
    mde,
    mde_rel_pct: Number.isNaN(mde) ? NaN : (100 * mde) / mean(baseline),
  };
}

/** The reports' Monte-Carlo sign-flip p; NaN when a difference is not finite. */
export function reportP(diffs: readonly number[]): number {
  return diffs.every(Number.isFinite) ? signFlipReport(diffs).p : NaN;
}
