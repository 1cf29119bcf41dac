import type { ArmRecord, Config, SweepRow } from "../record.js";

/** Mean of a row over some of its seeds. A cell that diverged is infinitely bad, and so is the mean. */
function meanOver(row: SweepRow, seeds: readonly number[]): number {
  const values = seeds.map((seed) => row.values[row.seeds.indexOf(seed)]);
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** The row with the best mean over `sweepSeeds`; the first one when two are equal. */
export function bestRow(
  rows: readonly SweepRow[],
  sweepSeeds: readonly number[],
  direction: "lower" | "higher",
): SweepRow {
  const sign = direction === "lower" ? 1 : -1;
  let best = rows[0];
  let bestScore = sign * meanOver(best, sweepSeeds);
  for (const row of rows.slice(1)) {
    const score = sign * meanOver(row, sweepSeeds);
    if (score < bestScore) {
      best = row;
      bestScore = score;
    }
  }
  return best;
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
