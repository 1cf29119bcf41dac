import type { BenchReportV2, CellFigures } from "../../document-v2.js";
import { finalCells } from "../../figures/cost.js";
import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { beside, folded, table, type Section } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";
import { curvePlot } from "../plots/curve-plot.js";

const names = {
  parameters: "parameters",
  steps: "steps",
  seconds: "wall time",
  flops: "floating-point operations of the forward pass",
  memory: "arena's high-water mark",
} as const;

/** What the idea costs beside the baseline, and how the final cells trained; undefined for version 1, which has neither. */
export function costSection(view: ReportView): Section | undefined {
  const { bench } = view;
  if (bench.bench_version === 1) return undefined;
  const cells = finalCells(bench);
  const ratios = table(
    "Idea over baseline, means of the final cells",
    ["cost", "ratio"],
    (["parameters", "steps", "seconds", "flops", "memory"] as const)
      .filter((cost) => bench.cost[cost] !== undefined)
      .map((cost) => [
        names[cost],
        bench.cost[cost] === null ? "unknown" : markup`×${figureMarkup(reported(view, `cost.${cost}`))}`,
      ]),
  );
  const note = markup`<p>Wall time depends on the machine and on what else ran there.</p>`;
  const trained = cells.some(({ curve }) => curve.length > 0);
  return {
    id: "cost",
    heading: "Cost",
    body: [
      trained ? beside(curvePlot(cells), [ratios, note]) : [ratios, note],
      folded(`Final cells (${cells.length} of ${bench.cells.length})`, cellTable(view, bench, cells)),
    ],
  };
}

function cellTable(view: ReportView, bench: BenchReportV2, cells: readonly CellFigures[]): Content {
  return table(
    "Final cells",
    [
      "arm, seed",
      "status",
      `test ${bench.metric}`,
      "loss after the last epoch",
      "parameters",
      "steps",
      "seconds",
    ],
    cells.map((cell) => {
      const path = `cells[${bench.cells.indexOf(cell)}]`;
      const last = cell.curve.length - 1;
      return [
        `${cell.arm}, ${cell.seed}`,
        cell.status,
        figureMarkup(reported(view, `${path}.metric`)),
        last < 0 ? "none" : figureMarkup(reported(view, `${path}.curve[${last}]`)),
        figureMarkup(reported(view, `${path}.parameters`)),
        figureMarkup(reported(view, `${path}.steps`)),
        figureMarkup(reported(view, `${path}.seconds`)),
      ];
    }),
  );
}
