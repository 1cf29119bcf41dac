import type { Arm } from "../../cells/spec.js";
import type { BenchReportV2, CellFigures, CostRatios } from "../document-v2.js";

/**
 * An arm over the baseline on the final cells, those of the best configurations on the final seeds: the ratio of the arms'
 * means; null where an arm has no cell or the mean is 0.
 */
export function costRatios(bench: BenchReportV2, arm: Arm = "idea"): CostRatios {
  const [baseline, other] = (["baseline", arm] as const).map((name) => finalCellsOf(bench, name));
  const ratio = (cost: keyof CostRatios): number | null => {
    const mean = (cells: readonly CellFigures[]): number => {
      const known = cells.map((cell) => cell[cost]).filter((value) => value !== undefined);
      return known.reduce((sum, value) => sum + value, 0) / known.length;
    };
    const value = mean(other) / mean(baseline);
    return Number.isFinite(value) ? value : null;
  };
  const measured = (["flops", "memory"] as const).filter((cost) =>
    bench.cells.some((cell) => cell[cost] !== undefined),
  );
  return {
    parameters: ratio("parameters"),
    steps: ratio("steps"),
    seconds: ratio("seconds"),
    ...Object.fromEntries(measured.map((cost) => [cost, ratio(cost)])),
  };
}

/** The cells of the best configurations of baseline and idea on the final seeds. */
export function finalCells(bench: BenchReportV2): readonly CellFigures[] {
  const isFinal = new Set((["baseline", "idea"] as const).flatMap((arm) => finalCellsOf(bench, arm)));
  return bench.cells.filter((cell) => isFinal.has(cell));
}

/** The cells of an arm's best configuration on the final seeds. */
function finalCellsOf(bench: BenchReportV2, arm: Arm): readonly CellFigures[] {
  const seeds = new Set(bench.protocol.seeds);
  const best =
    arm === "baseline" || arm === "idea"
      ? bench[arm].best_cfg
      : bench.controls?.arms.find(({ name }) => `control:${name}` === arm)?.best_cfg;
  if (best === undefined) return [];
  return bench.cells.filter(
    (cell) =>
      cell.arm === arm &&
      cell.evaluated !== "validation" &&
      seeds.has(cell.seed) &&
      Object.entries(best).every(([name, value]) => Object.is(cell.cfg[name], value)),
  );
}
