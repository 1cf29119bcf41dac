import type { Config } from "../../record.js";
import { sweepHistory, type SweepHistory } from "../../tuning/index.js";
import type { ReportConfig, SweepFigures } from "../document.js";
import type { BenchReportV2 } from "../document-v2.js";
import { canonicalText } from "../serialize.js";
import { cellIdentity } from "./cell-identity.js";
import { armFigures, isBetter } from "./arm-figures.js";

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
 * In what the tuning of two arms differs; empty when both tried as many configurations on the same seeds: the same ones,
 * or where the idea's arm spans options of its own at least every rate that the idea tried.
 */
export function tuningInequalities(baseline: ArmSweep | undefined, idea: ArmSweep | undefined): string[] {
  if (!baseline || !idea) return [`no sweep of the ${baseline ? "idea" : "baseline"} is reported`];
  const inequalities: string[] = [];
  if (!triedAlike(baseline, idea)) {
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

function triedAlike(baseline: ArmSweep, idea: ArmSweep): boolean {
  if (baseline.sweep.length !== idea.sweep.length) return false;
  const settings = (arm: ArmSweep): string =>
    Object.keys(arm.sweep[0]?.cfg ?? {})
      .sort()
      .join();
  if (settings(baseline) === settings(idea)) {
    const tried = (arm: ArmSweep): string =>
      arm.sweep
        .map(({ cfg }) => canonicalText(cfg))
        .sort()
        .join();
    return tried(baseline) === tried(idea);
  }
  const rates = new Set(baseline.sweep.map(({ cfg }) => cfg.lr));
  return idea.sweep.every(({ cfg }) => rates.has(cfg.lr));
}

/**
 * What the protocol of a version 2 report asks its arms to try, given the values of their sweeps; undefined for a report
 * of before 0.4, which does not say how a grid is extended, and for a sweep without even the first of them.
 */
export function askedFor(bench: BenchReportV2): SweepHistory | undefined {
  const { rates, grid_options: options = {}, most_extensions: mostExtensions = 0 } = bench.protocol;
  if (rates === undefined || fewestConfigs(bench) > bench.idea.sweep.length) return undefined;
  const direction = bench.metric_direction === "lower is better" ? "lower" : "higher";
  return sweepHistory({ rates, options }, mostExtensions, (arm, tried) => {
    const rows = tried.map((cfg) => rowOf(bench, arm, cfg));
    if (!rows.every((row) => row !== undefined)) return undefined;
    return tried[
      bestRow(
        rows.map(({ per_seed }) => armFigures(per_seed)),
        direction,
      )
    ];
  });
}

/** The configurations that the idea's arm tries before any extension. */
export function fewestConfigs({ protocol }: BenchReportV2): number {
  const { rates = [], grid_options: options = {} } = protocol;
  return Object.values(options).reduce((count, values) => count * values.length, rates.length);
}

function rowOf(bench: BenchReportV2, arm: "baseline" | "idea", cfg: Config) {
  const wanted = canonicalText(cfg);
  return bench[arm].sweep.find((row) => canonicalText(row.cfg) === wanted);
}

/** The part of the data that a sweep was ranked on: the validation part when all of its cells were evaluated there. */
export function selectionOf(bench: BenchReportV2): "test" | "validation" {
  const cells = new Set(bench.cells.map(cellIdentity));
  const ranked = (["baseline", "idea"] as const).flatMap((arm) =>
    bench[arm].sweep.flatMap(({ cfg, seeds }) =>
      seeds.map((seed) => cellIdentity({ arm, cfg, seed, evaluated: "validation" })),
    ),
  );
  return ranked.every((cell) => cells.has(cell)) ? "validation" : "test";
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
