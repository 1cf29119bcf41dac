import type { ControlsSection } from "../../document-controls.js";
import type { BenchReportV2 } from "../../document-v2.js";
import type { Markup } from "../markup.js";
import { rowPlot } from "./row-plot.js";

/** The idea against each of its controls: the mean difference with its interval. */
export function controlPlot({ metric, metric_direction }: BenchReportV2, { arms }: ControlsSection): Markup {
  return rowPlot({
    id: "control-plot",
    title: "The idea minus each control",
    description:
      "Mean paired difference of the idea and each control, with the sign-flip interval. The same figures are in the table of controls.",
    axis: `difference of test ${metric}, idea − control (${metric_direction})`,
    rows: arms.map(({ name, versus_idea: { delta_mean: value, interval } }) => ({
      label: name,
      marks: [{ series: "idea" as const, value, ...(interval ? { range: interval } : {}) }],
    })),
    line: 0,
  });
}
