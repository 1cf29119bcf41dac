import type { BenchReportV2, CellFigures, Report } from "../document-v2.js";
import type { ControlFigures } from "../document-controls.js";
import type { ReportConfig } from "../document.js";
import type { ControlsJudgement } from "../figures/control-figures.js";
import { bestRow } from "../figures/tuning.js";
import { childPath } from "../path.js";
import { canonicalText } from "../serialize.js";
import { valuesChecks } from "./arm-checks.js";
import { figureCheck, type Clue, type Suspect } from "./check.js";
import { derivedChecks } from "./derived-checks.js";
import { missingCell } from "./missing-cell.js";

/** What of the controls needs no test statistics: means, the best configuration, and the cells behind every value. */
export function measuredControlChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  return (bench.controls?.arms ?? []).flatMap((arm, at) => {
    const path = childPath(`${prefix}controls.arms`, at);
    return [
      ...valuesChecks(report, path, arm.per_seed),
      ...arm.sweep.flatMap(({ per_seed }, row) =>
        valuesChecks(report, childPath(`${path}.sweep`, row), per_seed),
      ),
      ...configurationChecks(report, bench, arm, path, prefix),
      ...valueChecks(report, bench, arm, path, prefix),
    ];
  });
}

/** The comparisons, what the idea is beside each control, and the finding. */
export function judgedControlChecks(report: Report, prefix: string, judgement: ControlsJudgement): Clue[] {
  const path = `${prefix}controls`;
  return [
    figureCheck(report, `${path}.alpha`, judgement.alpha),
    figureCheck(report, `${path}.finding`, judgement.finding),
    ...judgement.arms.flatMap(({ versus_baseline, versus_idea, idea_is, cost }, at) => {
      const own = childPath(`${path}.arms`, at);
      return [
        ...derivedChecks(report, `${own}.versus_baseline`, versus_baseline),
        ...derivedChecks(report, `${own}.versus_idea`, versus_idea),
        figureCheck(report, `${own}.idea_is`, idea_is),
        ...derivedChecks(report, `${own}.cost`, cost),
      ];
    }),
  ];
}

/** A trained control tries what the idea tries, and keeps its best; an evaluated one has the idea's configuration. */
function configurationChecks(
  report: Report,
  bench: BenchReportV2,
  { sweep, best_cfg: best }: ControlFigures,
  path: string,
  prefix: string,
): Clue[] {
  const kind = figureCheck(report, `${path}.kind`, sweep.length === 0 ? "evaluated" : "trained", {
    note: "a control is trained when it has a sweep",
  });
  if (sweep.length === 0) {
    const same = sameChecks(report, `${path}.best_cfg`, best, `${prefix}idea.best_cfg`, bench.idea.best_cfg);
    return [kind, ...same];
  }
  const direction = bench.metric_direction === "lower is better" ? "lower" : "higher";
  const equal = sweep.findIndex(
    ({ cfg, mean }) =>
      Object.is(mean, sweep[bestRow(sweep, direction)].mean) && canonicalText(cfg) === canonicalText(best),
  );
  const row = equal < 0 ? bestRow(sweep, direction) : equal;
  const worst: Suspect = {
    path: `${childPath(`${path}.sweep`, row)}.mean`,
    implied: direction === "lower" ? Infinity : -Infinity,
    unknown: true,
  };
  const rowPath = `${childPath(`${path}.sweep`, row)}.cfg`;
  return [
    kind,
    ...sameChecks(report, `${path}.best_cfg`, best, rowPath, sweep[row].cfg, [worst]),
    ...sweep.flatMap(({ cfg }, at) => {
      const planned = bench.idea.sweep[at]?.cfg ?? {};
      const own = `${childPath(`${path}.sweep`, at)}.cfg`;
      return sameChecks(report, own, cfg, `${childPath(`${prefix}idea.sweep`, at)}.cfg`, planned);
    }),
  ];
}

/** A configuration setting by setting against another place of the report. */
function sameChecks(
  report: Report,
  path: string,
  cfg: ReportConfig,
  otherPath: string,
  other: ReportConfig,
  suspects: readonly Suspect[] = [],
): Clue[] {
  return [...new Set([...Object.keys(cfg), ...Object.keys(other)])].map((name) =>
    figureCheck(report, childPath(path, name), other[name] ?? null, {
      note: `as ${otherPath}`,
      suspects: [{ path: childPath(otherPath, name), implied: cfg[name] ?? null }, ...suspects],
    }),
  );
}

/** Every value of a control against its cell. */
function valueChecks(
  report: Report,
  bench: BenchReportV2,
  { name, sweep, best_cfg, per_seed }: ControlFigures,
  path: string,
  prefix: string,
): Clue[] {
  const cells = bench.cells
    .map((cell, at) => ({ cell, at }))
    .filter(({ cell }) => cell.arm === `control:${name}`);
  const check = (cfg: ReportConfig, seed: string, part: string, place: string, value: number): Clue => {
    const own = cells.filter(
      ({ cell }) => cell.seed === seed && canonicalText(cell.cfg) === canonicalText(cfg),
    );
    const found =
      own.find(({ cell }) => partOf(cell) === part) ?? (part === "validation" ? own[0] : undefined);
    if (!found) return missingCell(bench, prefix, place);
    return figureCheck(report, `${childPath(`${prefix}cells`, found.at)}.metric`, value, {
      note: `as ${place}`,
      suspects: [{ path: place, implied: found.cell.metric }],
    });
  };
  return [
    ...sweep.flatMap((row, at) =>
      row.per_seed.map((value, seed) => {
        const place = childPath(`${childPath(`${path}.sweep`, at)}.per_seed`, seed);
        return check(row.cfg, row.seeds[seed], "validation", place, value);
      }),
    ),
    ...per_seed.map((value, at) =>
      check(best_cfg, bench.protocol.seeds[at], "test", childPath(`${path}.per_seed`, at), value),
    ),
  ];
}

function partOf({ evaluated = "test" }: CellFigures): string {
  return evaluated;
}
