import type { BenchReportV2, CostRatios } from "../document-v2.js";

/**
 * Idea over baseline on the final cells, those of the best configurations on the final seeds: the ratio of
 * the arms' means; null where an arm has no cell or the mean is 0.
 */
export function costRatios(bench: BenchReportV2): CostRatios {
  const cells = finalCells(bench);
  const ratio = (cost: "parameters" | "steps" | "seconds"): number | null => {
    const [baseline, idea] = (["baseline", "idea"] as const).map((arm) => {
      const own = cells.filter((cell) => cell.arm === arm);
      return own.reduce((sum, cell) => sum + cell[cost], 0) / own.length;
    });
    const value = idea / baseline;
    return Number.isFinite(value) ? value : null;
  };
  return { parameters: ratio("parameters"), steps: ratio("steps"), seconds: ratio("seconds") };
}

/** The cells of the best configurations on the final seeds. */
export function finalCells(bench: BenchReportV2): BenchReportV2["cells"] {
  const seeds = new Set(bench.protocol.seeds);
  return bench.cells.filter(
    ({ arm, cfg, seed, evaluated }) =>
      (arm === "baseline" || arm === "idea") &&
      evaluated !== "validation" &&
      seeds.has(seed) &&
      Object.entries(bench[arm].best_cfg).every(([name, value]) => Object.is(cfg[name], value)),
  );
}
