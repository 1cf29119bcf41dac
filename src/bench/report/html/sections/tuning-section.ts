import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { sweepRows, type PlacedRow } from "../../present/sweep-rows.js";
import { beside, bullets, entriesOf, table, type Section } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";
import { sweepPlot } from "../plots/sweep-plot.js";

/** How the arms were tuned: the sweep of each, what was chosen on, whether alike, and whether the grid ended too soon. */
export function tuningSection(view: ReportView): Section {
  const { baseline, idea, inequalities } = view.verification.judgement.tuning;
  const edges = (
    [
      ["baseline", baseline.edge],
      ["idea", idea.edge],
    ] as const
  ).flatMap(([arm, edge]) =>
    edge.map(
      (setting) =>
        `The best ${setting} of the ${arm} lies at an end of the grid; a better one may lie outside.`,
    ),
  );
  const remarks = [
    ...edges,
    ...inequalities.map((inequality) => `The arms were tuned unequally: ${inequality}.`),
  ];
  return {
    id: "tuning",
    heading: "Tuning",
    body: [
      beside(sweepPlot(view), sweepTable(view)),
      bullets(
        remarks.length > 0
          ? remarks
          : ["Both arms were tuned alike, and no choice lies at an end of the grid."],
      ),
      entriesOf(view, "tuning"),
    ],
  };
}

function sweepTable(view: ReportView): Content {
  const cell = (arm: "baseline" | "idea", placed: PlacedRow | undefined): Content => {
    if (!placed) return "not reported";
    const path = `${arm}.sweep[${placed.at}]`;
    const { n, std } = placed.row;
    return markup`${figureMarkup(reported(view, `${path}.mean`))}${
      std === undefined || n === undefined
        ? ""
        : markup` (std ${figureMarkup(reported(view, `${path}.std`))}, n ${figureMarkup(reported(view, `${path}.n`))})`
    }`;
  };
  return table(
    "Means of the sweep",
    ["configuration", "baseline", "idea"],
    sweepRows(view.bench).map(({ name, end, baseline, idea }) => [
      end ? `${name} (end of the grid)` : name,
      cell("baseline", baseline),
      cell("idea", idea),
    ]),
  );
}
