import type { ArmRecord, Config, SweepRow } from "../record.js";
import { armFigures } from "../report/figures/arm-figures.js";
import { bestRow as bestMean } from "../report/figures/tuning.js";

/** The row with the best mean over `sweepSeeds`; the first one when two are equal. A row with a diverged cell is the worst. */
export function bestRow(
  rows: readonly SweepRow[],
  sweepSeeds: readonly number[],
  direction: "lower" | "higher",
): SweepRow {
  const means = rows.map(({ seeds, values }) =>
    armFigures(sweepSeeds.map((seed) => values[seeds.indexOf(seed)])),
  );
  return rows[bestMean(means, direction)];
}

/** The metric of the cell with a configuration and a seed. */
export type MetricOf = (cfg: Config, seed: number) => number;

/** The rows of a sweep, in the order of the configurations and the seeds. */
export function sweepRows(
  configs: readonly Config[],
  seeds: readonly number[],
  metric: MetricOf,
): readonly SweepRow[] {
  return configs.map((cfg) => ({ cfg, seeds, values: seeds.map((seed) => metric(cfg, seed)) }));
}

/** One arm of a run: its sweep, and the final values of the best configuration. */
export function armRecord(
  sweep: readonly SweepRow[],
  best: Config,
  seeds: readonly number[],
  metric: MetricOf,
): ArmRecord {
  return { sweep, best, seeds, values: seeds.map((seed) => metric(best, seed)) };
}
