import { computed } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { endings } from "../../sentences.js";
import { beside, table, type Section } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup } from "../markup.js";
import { evidencePlot } from "../plots/evidence-plot.js";
import { lookInterval } from "./effect-section.js";

/** The evidence at each look of a declared plan, and where it ended; undefined where the number of seeds was fixed before. */
export function sequentialSection(view: ReportView): Section | undefined {
  const { bench } = view;
  const evidence = view.verification.judgement.sequential;
  const plan = bench.bench_version === 2 ? bench.protocol.sequential : undefined;
  if (evidence === undefined || plan === undefined) return undefined;
  const said = markup`<p>The plan was declared before anything was trained: ${plan.start} seeds first, ${plan.step} at a time, ${plan.most} at most, and an end as soon as the evidence E against “each difference is as likely to have the other sign” reaches 1/α = ${figureMarkup(computed(view, "sequential.threshold"))}. The run ended: ${endings[evidence.stopped]}.</p>`;
  const meaning = markup`<p>Without an effect E reaches 1/α at any look whatever with probability α at most, so that looking costs nothing. The interval holds the shifts that E refutes at no look; it is wider than one for a number of seeds that was fixed before, and the only one here that may be believed.</p>`;
  const rows = [
    ...evidence.looks.map(({ pairs }, at) => [
      `E after ${pairs} seeds`,
      figureMarkup(computed(view, `sequential.looks[${at}].evidence`)),
    ]),
    ["p, anytime-valid: 1 over the largest E", figureMarkup(computed(view, "sequential.p_value"))],
    ["interval of the mean difference, anytime-valid", lookInterval(view)],
  ];
  const figures = table("The evidence at each look", ["", "value"], rows);
  return {
    id: "sequential",
    heading: "Evidence under the declared plan",
    body:
      evidence.looks.length === 0
        ? [said, figures, meaning]
        : [said, beside(evidencePlot(evidence, plan), [figures, meaning])],
  };
}
