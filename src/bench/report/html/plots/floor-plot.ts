import type { BenchReportV2 } from "../../document-v2.js";
import type { Markup } from "../markup.js";
import { metricSpreadsWidely, rowPlot, type PlotRow } from "./row-plot.js";

/** Both arms beside the predictors without a network. */
export function floorPlot(bench: BenchReportV2): Markup {
  const { baseline, floors, idea, metric, metric_direction: direction } = bench;
  const rows: PlotRow[] = [
    { label: "tuned baseline", marks: [{ series: "baseline", value: baseline.full.mean }] },
    { label: "idea", marks: [{ series: "idea", value: idea.mean }] },
    ...floors.map(({ name, mean }) => ({ label: name, marks: [{ series: "other" as const, value: mean }] })),
  ];
  return rowPlot({
    id: "floor-plot",
    title: "Both arms and the floors",
    description:
      "Mean test metric of the tuned baseline, the idea and each floor. The same means are in the table of floors.",
    axis: `mean test ${metric} (${direction})`,
    logarithmic: metricSpreadsWidely(
      rows.flatMap(({ marks }) => marks.map(({ value }) => value)),
      direction,
    ),
    rows,
    line: baseline.full.mean,
  });
}
