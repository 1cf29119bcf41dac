import type { BenchReportV2, FurtherMetricFigures, Report } from "../document-v2.js";
import { furtherComparison, furtherP } from "../figures/further-metrics.js";
import { finalCells } from "../figures/cost.js";
import type { Recomputation } from "../figures/recomputation.js";
import { childPath, leavesOf } from "../path.js";
import { valuesChecks } from "./arm-checks.js";
import { figureCheck, type Clue } from "./check.js";

/**
 * The figures beside the metric: each value of a seed against its cell, and from the values their means, deviations and
 * differences, and with `costly` their p.
 */
export function furtherMetricChecks(
  report: Report,
  bench: BenchReportV2,
  prefix: string,
  costly: Recomputation | undefined,
): Clue[] {
  return (bench.further_metrics ?? []).flatMap((figures, at) => {
    const path = childPath(`${prefix}further_metrics`, at);
    return [
      ...(["baseline", "idea"] as const).flatMap((arm) => [
        ...valuesChecks(report, `${path}.${arm}`, figures[arm].per_seed),
        ...valueChecks(report, bench, prefix, figures, { arm, path }),
      ]),
      ...comparisonChecks(report, bench, figures, path, costly),
    ];
  });
}

function valueChecks(
  report: Report,
  bench: BenchReportV2,
  prefix: string,
  figures: FurtherMetricFigures,
  { arm, path }: { readonly arm: "baseline" | "idea"; readonly path: string },
): Clue[] {
  const cells = finalCells(bench).filter((cell) => cell.arm === arm);
  const renamed = nameOfCells(bench).map((name) => ({ path: `${path}.name`, implied: name }));
  return figures[arm].per_seed.map((value, at) => {
    const place = childPath(`${path}.${arm}.per_seed`, at);
    const cell = cells.find(({ seed }) => seed === bench.protocol.seeds[at]);
    const measured = cell?.further?.[figures.name];
    if (cell === undefined || measured === undefined)
      return figureCheck(report, place, NaN, { note: "its cell has no such figure", suspects: renamed });
    const ofCell = childPath(`${prefix}cells`, bench.cells.indexOf(cell));
    return figureCheck(report, childPath(`${ofCell}.further`, figures.name), value, {
      note: `as ${place}`,
      suspects: [{ path: place, implied: measured }],
    });
  });
}

/** The one figure that cells have and the section does not, where there is one. */
function nameOfCells(bench: BenchReportV2): readonly string[] {
  const listed = new Set(bench.further_metrics?.map(({ name }) => name));
  const missing = new Set(
    finalCells(bench).flatMap(({ further }) =>
      Object.keys(further ?? {}).filter((name) => !listed.has(name)),
    ),
  );
  return missing.size === 1 ? [...missing] : [];
}

function comparisonChecks(
  report: Report,
  bench: BenchReportV2,
  figures: FurtherMetricFigures,
  path: string,
  costly: Recomputation | undefined,
): Clue[] {
  const direction = figures.direction === "lower is better" ? "lower" : "higher";
  const [baseline, idea] = [figures.baseline.per_seed, figures.idea.per_seed];
  const opposite = direction === "lower" ? "higher is better" : "lower is better";
  const suspects = [{ path: `${path}.direction`, implied: opposite }];
  const scale = Math.max(0, ...[...baseline, ...idea].filter(Number.isFinite).map(Math.abs));
  return [
    ...leavesOf(furtherComparison(baseline, idea, direction), `${path}.comparison`).map(([leaf, value]) =>
      figureCheck(report, leaf, value, leaf.endsWith(".idea_wins") ? { suspects } : { scale }),
    ),
    ...(costly
      ? [
          figureCheck(
            report,
            `${path}.comparison.p_value`,
            furtherP(bench, baseline, idea, direction, costly),
          ),
        ]
      : []),
  ];
}
