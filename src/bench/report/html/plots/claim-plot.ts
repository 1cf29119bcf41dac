import type { BenchReportV2 } from "../../document-v2.js";
import { claimGroups } from "../../present/claim-groups.js";
import type { Markup } from "../markup.js";
import { rowPlot, spreadsWidely, type PlotRow } from "./row-plot.js";

/** Each claim on each trained model beside its control. Observations that are 0 lie at the left end. */
export function claimPlot(bench: BenchReportV2): Markup {
  const rows = claimGroups(bench).flatMap(({ quantity, claims }): PlotRow[] => [
    {
      label: quantity,
      shaded: true,
      marks: claims.map(({ claim }) => ({ series: "idea", value: claim.observed })),
    },
    {
      label: claims[0]!.claim.control.what,
      marks: claims.map(({ claim }) => ({ series: "other", value: claim.control.observed })),
    },
  ]);
  const shown = rows.flatMap(({ marks }) => marks.map(({ value }) => value)).filter((value) => value !== 0);
  return rowPlot({
    id: "claim-plot",
    title: "Claims and their controls",
    description:
      "What was observed on each trained model, and beneath it the same on the control, where the claim must fail. The table of claims has the figures.",
    axis: "observed",
    logarithmic: spreadsWidely(shown),
    legend: [
      ["idea", "with the idea"],
      ["other", "control"],
    ],
    rows,
  });
}
