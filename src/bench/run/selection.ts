import type { ArmRecord, CellRecord, Config, SweepRow } from "../record.js";

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

/** One arm of a run from its finished cells, in the order of the grid and the seeds. */
export function armRecord(
  cells: readonly CellRecord[],
  grid: readonly Config[],
  seeds: readonly number[],
  sweepSeeds: readonly number[],
  direction: "lower" | "higher",
): ArmRecord {
  const sweep = grid.map((cfg) => {
    const values = seeds.map((seed) => cells.find((cell) => cell.cfg === cfg && cell.seed === seed)!.metric);
    return { cfg, seeds, values };
  });
  const best = bestRow(sweep, sweepSeeds, direction);
  return { sweep, best: best.cfg, seeds, values: best.values };
}
