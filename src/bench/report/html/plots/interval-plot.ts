import { intervalOf, statistic } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { directionOf } from "../../judge.js";
import type { Markup } from "../markup.js";
import { rowPlot, type PlotRow } from "./row-plot.js";

/** The mean difference with its intervals, the differences of the seeds, the margin, and what these seeds can show. */
export function intervalPlot(view: ReportView): Markup {
  const { comparison } = view.bench;
  const margin = statistic(view, "equivalence.margin").value;
  const detectable = statistic(view, "mde_80.difference").value;
  const mean = comparison.delta_mean;
  const intervals = (
    [
      ["sign_flip_interval", "sign-flip interval"],
      ["t_interval", "t interval"],
      ["bca_interval", "BCa interval"],
    ] as const
  ).flatMap(([name, label]): PlotRow[] => {
    const ends = intervalOf(view, name);
    if (!ends) return [];
    return [{ label, marks: [{ series: "idea", value: mean, range: [ends[0].value, ends[1].value] }] }];
  });
  const looks = view.verification.judgement.sequential?.interval;
  const rows: PlotRow[] = [
    ...(looks
      ? [{ label: "with the looks", marks: [{ series: "idea" as const, value: mean, range: looks }] }]
      : []),
    ...intervals,
    ...(intervals.length === 0 ? [{ label: "mean", marks: [{ series: "idea" as const, value: mean }] }] : []),
    {
      label: "each seed",
      marks: comparison.per_seed_diffs.map((value) => ({ series: "other", value })),
    },
    ...(Number.isFinite(detectable)
      ? [
          {
            label: "found 4 times in 5",
            joined: false,
            marks: [-detectable, detectable].map((value) => ({ series: "other" as const, value })),
          },
        ]
      : []),
  ];
  const better = directionOf(view.bench) === "lower" ? "left" : "right";
  return rowPlot({
    id: "interval-plot",
    title: "The difference, and how well it is known",
    description:
      "The mean difference, idea less baseline, with its intervals; the difference of each seed; the margin within which a " +
      "difference does not matter; and the smallest difference that is found four times in five. The figures are in the table beside it.",
    axis: `idea − baseline, ${view.metric} (idea better to the ${better})`,
    rows,
    line: 0,
    ...(margin > 0 && { band: { from: -margin, to: margin, name: "does not matter" } }),
  });
}
