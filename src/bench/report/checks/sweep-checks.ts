import type { Json } from "../../../ideas/index.js";
import { benchOf, benchPrefix, type BenchReport, type BenchReportV2, type Report } from "../document-v2.js";
import type { ReportConfig, SweepFigures } from "../document.js";
import { askedFor, bestRow, fewestConfigs, selectionOf, sweepPrefix } from "../figures/tuning.js";
import { presets } from "../../presets.js";
import { sweepConfigs } from "../../tuning/index.js";
import { directionOf } from "../judge.js";
import { childPath, valueAt } from "../path.js";
import { valuesChecks } from "./arm-checks.js";
import { figureCheck, type Clue, type Suspect } from "./check.js";
import { otherDirection } from "./pair-checks.js";

type ArmName = "baseline" | "idea";

/** The sweep of each arm: the best configuration, its mean, and the grid; and what the preset settles of it. */
export function sweepChecks(report: Report): Clue[] {
  return [...presetChecks(report), ...armSweepChecks(report)];
}

/** A preset settles how often a grid may be extended, and without a choice on the validation part there is none. */
function presetChecks(report: Report): Clue[] {
  const bench = benchOf(report);
  if (bench.bench_version === 1 || bench.protocol.rates === undefined) return [];
  const path = `${benchPrefix(report)}protocol`;
  const preset = presets.get(bench.protocol.preset);
  const onTest = selectionOf(bench) === "test";
  return [
    ...(preset
      ? [
          figureCheck(report, `${path}.most_extensions`, preset.mostExtensions, {
            note: `as the preset ${preset.name} has it`,
          }),
        ]
      : []),
    ...(onTest && preset?.selection === "test"
      ? [figureCheck(report, `${path}.n_validation`, 0, { note: "nothing was chosen on a validation part" })]
      : []),
  ];
}

function armSweepChecks(report: Report): Clue[] {
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

/** The configurations of an arm, in the order in which the protocol and what was found so far ask for them. */
function gridChecks(report: Report, arm: ArmName, sweep: readonly SweepFigures[]): Clue[] {
  const bench = benchOf(report);
  const prefix = benchPrefix(report);
  if (bench.bench_version === 1 || bench.protocol.rates === undefined) {
    return plannedChecks(report, arm, sweep, bench.protocol?.grid ?? []);
  }
  const asked = askedFor(bench);
  const configs = asked && (arm === "baseline" ? asked.sweep.baseline : asked.sweep.changed);
  const length: Clue = {
    kind: "figure",
    path: `${prefix}${arm}.sweep.length`,
    reported: sweep.length,
    recomputed: configs?.length ?? fewestConfigs(bench),
    relativeError: undefined,
    holds: sweep.length === configs?.length,
    note: "as many configurations as the rates, options and extensions ask for",
    implied: undefined,
    suspects: [],
  };
  if (configs === undefined) return [length];
  return [
    length,
    ...plannedChecks(report, arm, sweep, configs),
    ...(arm === "baseline" ? ratesChecks(report, bench) : []),
  ];
}

/** A sweep over as many configurations as were planned has them in that order. */
function plannedChecks(
  report: Report,
  arm: ArmName,
  sweep: readonly SweepFigures[],
  planned: readonly ReportConfig[],
): Clue[] {
  if (planned.length !== sweep.length) return [];
  const prefix = benchPrefix(report);
  return sweep.flatMap(({ cfg }, at) =>
    settingsOf(cfg, planned[at]).map((name) => {
      const own = childPath(`${childPath(`${prefix}${arm}.sweep`, at)}.cfg`, name);
      const place = plannedPlace(report, at, name, planned[at][name]);
      return figureCheck(report, own, planned[at][name] ?? null, {
        note: place === undefined ? "as the grid and its extensions ask for" : `as ${place}`,
        suspects: place === undefined ? [] : [{ path: place, implied: cfg[name] ?? null }],
      });
    }),
  );
}

/** Where the protocol has a planned value; undefined when it follows from others. */
function plannedPlace(report: Report, at: number, name: string, value: Json | undefined): string | undefined {
  const { protocol } = benchOf(report);
  const prefix = `${benchPrefix(report)}protocol`;
  if (protocol && "rates" in protocol && protocol.rates !== undefined) {
    const values = name === "lr" ? protocol.rates : (protocol.grid_options?.[name] ?? []);
    const place = values.findIndex((planned) => planned === value);
    if (place < 0) return undefined;
    return childPath(name === "lr" ? `${prefix}.rates` : childPath(`${prefix}.grid_options`, name), place);
  }
  const path = childPath(childPath(`${prefix}.grid`, at), name);
  return valueAt(report, path) === undefined ? undefined : path;
}

/** The baseline's configurations in the protocol follow from its rates and the idea's options. */
function ratesChecks(report: Report, bench: BenchReportV2): Clue[] {
  const { rates = [], grid_options: options = {}, grid } = bench.protocol;
  const planned = sweepConfigs({ rates, options }).baseline;
  const path = `${benchPrefix(report)}protocol.grid`;
  return grid.flatMap((cfg, at) =>
    settingsOf(cfg, planned[at] ?? {}).map((name) =>
      figureCheck(report, childPath(childPath(path, at), name), planned[at]?.[name] ?? null, {
        note: "from the rates and the options of the grid",
        suspects:
          at < rates.length
            ? [{ path: childPath(`${benchPrefix(report)}protocol.rates`, at), implied: cfg[name] ?? null }]
            : [],
      }),
    ),
  );
}

function sameConfiguration(one: ReportConfig, other: ReportConfig): boolean {
  return settingsOf(one, other).every((name) => Object.is(one[name], other[name]));
}

function settingsOf(one: ReportConfig, other: ReportConfig): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}
