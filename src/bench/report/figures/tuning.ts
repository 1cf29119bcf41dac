import type { ReportConfig, SweepFigures } from "../document.js";
import { canonicalText } from "../serialize.js";
import { isBetter } from "./arm-figures.js";

/** The sweep of one arm, and the seeds whose mean ranks its configurations. */
export interface ArmSweep {
  readonly sweep: readonly Pick<SweepFigures, "cfg" | "mean">[];
  readonly best: ReportConfig;
  readonly seeds: readonly string[];
}

/**
 * The position of the best mean of a sweep; the first of equal ones, and the first row when every mean
 * diverged.
 */
export function bestRow(sweep: readonly { readonly mean: number }[], direction: "lower" | "higher"): number {
  return sweep.reduce((best, row, at) => (isBetter(row.mean, sweep[best].mean, direction) ? at : best), 0);
}

/**
 * The settings of the best configuration that lie at an end of their grid, where the grid has more than one
 * value.
 */
export function edgesOf({ sweep, best }: Pick<ArmSweep, "sweep" | "best">): string[] {
  return Object.entries(best).flatMap(([name, value]) => {
    const tried = sweep.map(({ cfg }) => cfg[name]).filter((other) => typeof other === "number");
    const several = new Set(tried).size > 1;
    return several && (value === Math.min(...tried) || value === Math.max(...tried)) ? [name] : [];
  });
}

/**
 * In what the tuning of two arms differs; empty when both tried the same configurations on the same seeds.
 */
export function tuningInequalities(baseline: ArmSweep | undefined, idea: ArmSweep | undefined): string[] {
  if (!baseline || !idea) return [`no sweep of the ${baseline ? "idea" : "baseline"} is reported`];
  const inequalities: string[] = [];
  const configurations = ({ sweep }: ArmSweep): string =>
    sweep
      .map(({ cfg }) => canonicalText(cfg))
      .sort()
      .join();
  if (configurations(baseline) !== configurations(idea)) {
    inequalities.push(
      `other configurations (${baseline.sweep.length} for the baseline, ${idea.sweep.length} for the idea)`,
    );
  }
  if (baseline.seeds.join() !== idea.seeds.join()) {
    inequalities.push(
      baseline.seeds.length === idea.seeds.length
        ? "other tuning seeds"
        : `the baseline's configurations were ranked on ${baseline.seeds.length} seeds, the idea's on ${idea.seeds.length}`,
    );
  }
  return inequalities;
}

/**
 * How many of the first seeds a sweep's mean was taken over: the k whose mean is nearest to it, the largest
 * of equally near ones. One of the two reports ranked the baseline's configurations on the first 4 of 8
 * seeds.
 */
export function sweepPrefix(reported: number, values: readonly number[]): { k: number; mean: number } {
  let sum = 0;
  let nearest = { k: 0, mean: NaN };
  values.forEach((value, at) => {
    sum += value;
    const mean = sum / (at + 1);
    const closer = !(Math.abs(mean - reported) > Math.abs(nearest.mean - reported));
    if ((at > 0 || values.length === 1) && closer) nearest = { k: at + 1, mean };
  });
  return nearest;
}
