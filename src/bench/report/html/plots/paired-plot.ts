import { unfinishedPlaces } from "../../figures/unfinished.js";
import { seedNames } from "../../present/seed-names.js";
import type { ReportView } from "../../present/report-view.js";
import type { Markup } from "../markup.js";
import { metricSpreadsWidely, rowPlot } from "./row-plot.js";

/** Both arms on each seed, joined: the pairs that the comparison rests on. */
export function pairedPlot(view: ReportView): Markup {
  const { bench, metric } = view;
  const [baseline, idea] = [bench.baseline.full.per_seed, bench.idea.per_seed];
  const gone = { baseline: unfinishedPlaces(bench, "baseline"), idea: unfinishedPlaces(bench, "idea") };
  return rowPlot({
    id: "paired-plot",
    title: "Both arms on each seed",
    description: `One row for each of ${baseline.length} seeds, with the test ${metric} of the baseline and of the idea. The same values are in the table of seeds.`,
    axis: `test ${metric} (${bench.metric_direction})`,
    logarithmic: metricSpreadsWidely([...baseline, ...idea], bench.metric_direction),
    legend: [
      ["baseline", "tuned baseline"],
      ["idea", "idea"],
    ],
    rows: seedNames(bench).map((name, at) => ({
      label: `seed ${name}`,
      joined: true,
      marks: [
        { series: "baseline", value: baseline[at]!, unfinished: gone.baseline.has(at) },
        { series: "idea", value: idea[at]!, unfinished: gone.idea.has(at) },
      ],
    })),
  });
}
