import type { FurtherMetricFigures } from "../../document-v2.js";
import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { seedNames } from "../../present/seed-names.js";
import { definitions, folded, table, type Section, whole } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";

/** What the track measures beside its metric; undefined where it measures nothing else. */
export function furtherMetricsSection(view: ReportView): Section | undefined {
  const { bench } = view;
  if (bench.bench_version === 1 || !bench.further_metrics?.length) return undefined;
  const metrics = bench.further_metrics;
  const at = (index: number, path: string, style?: "signed"): Content =>
    figureMarkup(reported(view, `further_metrics[${index}].${path}`, style));
  const means = table(
    "Means of the final models",
    ["figure", "baseline", "idea", "idea − baseline", "seeds won", "p, sign-flip"],
    metrics.map((metric, index) => [
      titleOf(metric),
      at(index, "baseline.mean"),
      at(index, "idea.mean"),
      at(index, "comparison.delta_mean", "signed"),
      whole(markup`${at(index, "comparison.idea_wins")} of ${at(index, "idea.n")}`),
      at(index, "comparison.p_value"),
    ]),
  );
  const seeds = seedNames(bench).map((seed, one) => [
    seed,
    ...metrics.flatMap((_, index) => [
      at(index, `baseline.per_seed[${one}]`),
      at(index, `idea.per_seed[${one}]`),
    ]),
  ]);
  return {
    id: "further-metrics",
    heading: "Beside the metric",
    body: [
      markup`<p>These figures inform and decide nothing: no verdict reads them, and their p is not adjusted for their number.</p>`,
      means,
      definitions(metrics.map((metric) => [titleOf(metric), `${metric.description} (${metric.direction})`])),
      folded(
        "Each seed",
        table(
          "Each figure of each seed",
          ["seed", ...metrics.flatMap((metric) => [`${metric.name}, baseline`, `${metric.name}, idea`])],
          seeds,
        ),
      ),
    ],
  };
}

function titleOf({ name, unit }: FurtherMetricFigures): string {
  return unit === "" ? name : `${name} (${unit})`;
}
