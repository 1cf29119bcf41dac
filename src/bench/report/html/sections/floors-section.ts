import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { beside, table, type Section } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup } from "../markup.js";
import { floorPlot } from "../plots/floor-plot.js";

/** Whether the run says anything: both arms against predictors without a network. */
export function floorsSection(view: ReportView): Section {
  const { bench } = view;
  const heading = "Floors";
  if (bench.bench_version === 1 || bench.floors.length === 0) {
    const none = markup`<p>The report has no floors: whether its baseline is better than a predictor without a network is not known.</p>`;
    return { id: "floors", heading, body: none };
  }
  const said = bench.informative
    ? "The tuned baseline beats every floor: the run can say something about the idea."
    : "The tuned baseline does not beat every floor: the run proves nothing about the idea, whichever arm is ahead.";
  const rows = bench.floors.map(({ name, beaten }, at) => [
    name,
    figureMarkup(reported(view, `floors[${at}].mean`)),
    figureMarkup(reported(view, `floors[${at}].std`)),
    beaten ? "yes" : "NO",
  ]);
  const arms = [
    ["tuned baseline", "baseline.full"],
    ["idea", "idea"],
  ].map(([name, path]) => [
    name,
    figureMarkup(reported(view, `${path}.mean`)),
    figureMarkup(reported(view, `${path}.std`)),
    "",
  ]);
  const floors = table(
    `Mean test ${bench.metric}`,
    ["predictor", "mean", "std", "beaten by the baseline"],
    [...arms, ...rows],
  );
  return { id: "floors", heading, body: [markup`<p>${said}</p>`, beside(floorPlot(bench), floors)] };
}
