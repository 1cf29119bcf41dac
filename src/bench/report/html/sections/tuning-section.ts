import type { ArmTuning } from "../../document-v2.js";
import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { sweepRows, type PlacedRow } from "../../present/sweep-rows.js";
import { beside, bullets, entriesOf, table, type Section, whole } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";
import { sweepPlot } from "../plots/sweep-plot.js";

/** How the arms were tuned: the sweep of each, what was chosen on, whether alike, and whether the grid ended too soon. */
export function tuningSection(view: ReportView): Section {
  const { selection, baseline, idea, extensions = [], inequalities } = view.verification.judgement.tuning;
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
    ...extensions.map(
      ({ rates, because }) =>
        `The grid of both arms was extended by ${rates.join(" and ")}, because the best rate of the ` +
        `${because.map(({ arm, rate }) => `${arm}, ${rate},`).join(" and of the ")} lay at its end.`,
    ),
    ...edges,
    ...inequalities.map((inequality) => `The arms were tuned unequally: ${inequality}.`),
  ];
  const alike = edges.length + inequalities.length === 0;
  return {
    id: "tuning",
    heading: "Tuning",
    body: [
      beside(sweepPlot(view), sweepTable(view)),
      bullets([
        `Chosen on the ${selection} part: ${budget(baseline)} for the baseline, ${budget(idea)} for the idea.`,
        ...remarks,
        ...(alike ? ["Both arms were tuned alike, and no choice lies at an end of the grid."] : []),
      ]),
      entriesOf(view, "tuning"),
    ],
  };
}

/** `3 configurations on 4 seeds, 12 cells`. */
function budget({ configurations, seeds, cells }: ArmTuning): string {
  return `${configurations} configurations on ${seeds.length} seeds, ${cells} cells`;
}

function sweepTable(view: ReportView): Content {
  const cell = (arm: "baseline" | "idea", placed: PlacedRow | undefined): Content => {
    if (!placed) return "not reported";
    const path = `${arm}.sweep[${placed.at}]`;
    const { n, std } = placed.row;
    return markup`${figureMarkup(reported(view, `${path}.mean`))}${
      std === undefined || n === undefined
        ? ""
        : markup` ${whole(markup`(std ${figureMarkup(reported(view, `${path}.std`))}, n ${figureMarkup(reported(view, `${path}.n`))})`)}`
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
