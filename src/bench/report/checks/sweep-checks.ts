import type { Json } from "../../../ideas/index.js";
import { benchOf, benchPrefix, type BenchReport, type Report } from "../document-v2.js";
import type { ReportConfig, SweepFigures } from "../document.js";
import { bestRow, sweepPrefix } from "../figures/tuning.js";
import { directionOf } from "../judge.js";
import { childPath, valueAt } from "../path.js";
import { valuesChecks } from "./arm-checks.js";
import { figureCheck, type Clue, type Suspect } from "./check.js";
import { otherDirection } from "./pair-checks.js";

type ArmName = "baseline" | "idea";

/** The sweep of each arm: the best configuration, its mean, and the grid. */
export function sweepChecks(report: Report): Clue[] {
  const bench = benchOf(report);
  return (["baseline", "idea"] as const).flatMap((arm) => {
    const { sweep, best_cfg: best } = bench[arm];
    if (!sweep) return [];
    return [
      ...rowChecks(report, arm, sweep),
      ...(best ? bestChecks(report, arm, sweep, best) : []),
      ...gridChecks(report, arm, sweep),
    ];
  });
}

/**
 * Version 2 has the values of every row; of version 1 only the final configuration's mean can be recomputed.
 */
function rowChecks(report: Report, arm: ArmName, sweep: readonly SweepFigures[]): Clue[] {
  const bench = benchOf(report);
  const path = `${benchPrefix(report)}${arm}.sweep`;
  if (bench.bench_version === 2) {
    return sweep.flatMap(({ per_seed }, at) => valuesChecks(report, childPath(path, at), per_seed ?? []));
  }
  const final = finalRow(bench, arm, sweep);
  const values = arm === "baseline" ? bench.baseline.full.per_seed : bench.idea.per_seed;
  const { k, mean } = sweepPrefix(sweep[final].mean, values);
  const note =
    k === values.length
      ? `mean of all ${k} seeds`
      : `mean of the first ${k} of ${values.length} seeds: unequal tuning`;
  return [figureCheck(report, `${childPath(path, final)}.mean`, mean, { note })];
}

/** The row of the reported best configuration, or the best row when no row has it. */
function finalRow(bench: BenchReport, arm: ArmName, sweep: readonly SweepFigures[]): number {
  const best = bench[arm].best_cfg;
  const own = best ? sweep.findIndex(({ cfg }) => sameConfiguration(cfg, best)) : -1;
  return own < 0 ? bestRow(sweep, directionOf(bench)) : own;
}

/**
 * The best configuration is the one with the best mean, setting by setting; of equal means either will do.
 */
function bestChecks(
  report: Report,
  arm: ArmName,
  sweep: readonly SweepFigures[],
  best: ReportConfig,
): Clue[] {
  const direction = directionOf(benchOf(report));
  const prefix = `${benchPrefix(report)}${arm}`;
  const top = bestRow(sweep, direction);
  const equal = sweep.findIndex(
    ({ cfg, mean }) => Object.is(mean, sweep[top].mean) && sameConfiguration(cfg, best),
  );
  const row = equal < 0 ? top : equal;
  const rowPath = childPath(`${prefix}.sweep`, row);
  const worst = direction === "lower" ? Infinity : -Infinity;
  return settingsOf(best, sweep[row].cfg).map((name) => {
    const suspects: Suspect[] = [
      { path: childPath(`${rowPath}.cfg`, name), implied: best[name] ?? null },
      { path: `${rowPath}.mean`, implied: worst, unknown: true },
      otherDirection(report),
    ];
    return figureCheck(report, childPath(`${prefix}.best_cfg`, name), sweep[row].cfg[name] ?? null, {
      note: `the configuration with the ${direction === "lower" ? "lowest" : "highest"} mean of the sweep`,
      suspects,
    });
  });
}

/** A sweep over as many configurations as the protocol's grid lists them in its order. */
function gridChecks(report: Report, arm: ArmName, sweep: readonly SweepFigures[]): Clue[] {
  const bench = benchOf(report);
  const grid = bench.protocol?.grid;
  if (grid?.length !== sweep.length) return [];
  const prefix = benchPrefix(report);
  return sweep.flatMap(({ cfg }, at) =>
    settingsOf(cfg, grid[at]).map((name) => {
      const own = childPath(`${childPath(`${prefix}${arm}.sweep`, at)}.cfg`, name);
      const planned = childPath(childPath(`${prefix}protocol.grid`, at), name);
      return figureCheck(report, own, (valueAt(report, planned) ?? null) as Json, {
        note: `as ${planned}`,
        suspects: [{ path: planned, implied: cfg[name] ?? null }],
      });
    }),
  );
}

function sameConfiguration(one: ReportConfig, other: ReportConfig): boolean {
  return settingsOf(one, other).every((name) => Object.is(one[name], other[name]));
}

function settingsOf(one: ReportConfig, other: ReportConfig): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
