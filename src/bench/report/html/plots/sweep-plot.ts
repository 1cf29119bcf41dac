import { edgesOf } from "../../figures/tuning.js";
import { isUnfinished } from "../../figures/unfinished.js";
import { sweepOf } from "../../judge.js";
import { canonicalText } from "../../serialize.js";
import type { ReportView } from "../../present/report-view.js";
import { sweepRows } from "../../present/sweep-rows.js";
import type { Markup } from "../markup.js";
import { metricSpreadsWidely, rowPlot, type RowMark } from "./row-plot.js";

/** The metric of each configuration that was tried in either arm, the best ones ringed, the ends of the grid shaded. */
export function sweepPlot(view: ReportView): Markup {
  const { bench, metric } = view;
  const rows = sweepRows(bench);
  const edges = (["baseline", "idea"] as const).filter((arm) => {
    const sweep = sweepOf(bench, arm);
    return sweep !== undefined && edgesOf(sweep).length > 0;
  });
  const means = rows.flatMap(({ baseline, idea }) => [baseline?.row.mean ?? NaN, idea?.row.mean ?? NaN]);
  const unfinished = bench.bench_version === 2 && bench.cells.some(isUnfinished);
  const selection = bench.bench_version === 2 ? `${bench.tuning.selection} ` : "";
  return rowPlot({
    id: "sweep-plot",
    title: "What was tried, and what was chosen",
    description:
      `Mean ${metric} of each configuration in both arms; the chosen one of each arm has a ring. The ends of the grid are shaded. ` +
      (edges.length > 0
        ? `The choice lies at an end of the grid for: ${edges.join(", ")}.`
        : "No choice lies at an end of the grid."),
    axis: `mean ${selection}${metric} over the tuning seeds`,
    logarithmic: metricSpreadsWidely(means, bench.metric_direction),
    legend: [
      ["baseline", "tuned baseline"],
      ["idea", "idea"],
    ],
    rows: rows.map(({ name, end, baseline, idea }) => ({
      label: name,
      shaded: end,
      marks: [
        ...(baseline ? [mark("baseline", baseline.row, unfinished, bench.baseline.best_cfg)] : []),
        ...(idea ? [mark("idea", idea.row, unfinished, bench.idea.best_cfg)] : []),
      ],
    })),
  });
}

function mark(
  series: "baseline" | "idea",
  { cfg, mean }: { readonly cfg: object; readonly mean: number },
  unfinished: boolean,
  best: object | undefined,
): RowMark {
  const gone = unfinished && Number.isNaN(mean);
  return {
    series,
    value: mean,
    unfinished: gone,
    chosen: best !== undefined && canonicalText(cfg) === canonicalText(best),
  };
}
