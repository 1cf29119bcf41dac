import type { BenchReportV2 } from "../document-v2.js";

/** The version of the caps that reports are judged by now; one without a version is judged by the first. */
export const capsVersion = 2;

/** The diverged cells of an arm, told apart by whether they may have cost it its best configuration. */
export interface Divergence {
  /** Final cells, and cells of a configuration between which and the chosen one lies no rate that ended. */
  readonly bearing: number;
  /** Cells farther out. */
  readonly apart: number;
  /** The learning rates of {@link apart}, in rising order. */
  readonly rates: readonly number[];
}

/**
 * How the cells of an arm diverged. An arm is at a disadvantage where configurations were lost to it that might have been its best. One
 * is not, beyond a rate at which every configuration of the arm ended: that rate was measured and is worse than the chosen one, so
 * that the best is bracketed by it, as it is inside of a grid.
 */
export function divergenceOf(bench: BenchReportV2, arm: "baseline" | "idea"): Divergence {
  const { sweep, best_cfg: best } = bench[arm];
  const chosen = Number(best.lr);
  const rates = [...new Set(sweep.map(({ cfg }) => Number(cfg.lr)))];
  const ended = rates.filter((rate) =>
    sweep.every(({ cfg, mean }) => Number(cfg.lr) !== rate || Number.isFinite(mean)),
  );
  const between = (rate: number): boolean =>
    ended.some((one) => Math.min(rate, chosen) < one && one < Math.max(rate, chosen));
  const lost = bench.cells.filter((cell) => cell.arm === arm && cell.status === "diverged");
  const apart = lost.filter(({ cfg, evaluated }) => evaluated === "validation" && between(Number(cfg.lr)));
  return {
    bearing: lost.length - apart.length,
    apart: apart.length,
    rates: [...new Set(apart.map(({ cfg }) => Number(cfg.lr)))].sort((a, b) => a - b),
  };
}

/** What is said of cells that diverged farther out; nothing where none did. */
export function divergenceNotes(bench: BenchReportV2): string[] {
  return (["baseline", "idea"] as const).flatMap((arm) => {
    const { apart, rates } = divergenceOf(bench, arm);
    if (apart === 0) return [];
    const cells = `${apart} tuning ${apart === 1 ? "cell" : "cells"} of the ${arm} diverged`;
    return [
      `${cells}, at learning rate ${rates.join(", ")}: beyond one that ended and was worse than the chosen ${bench[arm].best_cfg.lr}, and caps nothing`,
    ];
  });
}
