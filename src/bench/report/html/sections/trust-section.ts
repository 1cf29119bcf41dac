import { figureAt } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { bullets, definitions, entriesOf, folded, type Section } from "../elements.js";
import { figureMarkup, valueMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";

/** What was recomputed, and everything that has to be believed. */
export function trustSection(view: ReportView): Section {
  const { checks, trusted } = view.verification;
  const count = (kind: string): number => checks.filter((check) => check.kind === kind && check.holds).length;
  const held = markup`<p>Recomputed from the values of the seeds and found to hold: ${count("figure")} figures, ${count("quoted")} numbers quoted in texts, ${count("digest")} digests. What follows from nothing else in the report, and has to be believed:</p>`;
  const entries = trusted.map(
    ({ path, value, why }) =>
      [
        markup`<code>${path}</code>`,
        value === undefined ? why : markup`${valueMarkup(view, value, path)} <span class="why">${why}</span>`,
      ] as const,
  );
  return { id: "trust", heading: "Taken on trust", body: [held, definitions(entries)] };
}

/** How the run was set up, and where and with what it was made. */
export function provenanceSection(view: ReportView): Section {
  const none = markup`<p>The report says nothing of it.</p>`;
  return {
    id: "provenance",
    heading: "Protocol and provenance",
    body: [
      markup`<h3>Idea</h3>`,
      entriesOf(view, "subject") ?? none,
      markup`<h3>Protocol</h3>`,
      entriesOf(view, "protocol") ?? none,
      markup`<h3>Provenance</h3>`,
      entriesOf(view, "provenance") ?? none,
      digests(view),
    ],
  };
}

function digests(view: ReportView): Content {
  const entries = entriesOf(view, "digests");
  return entries && folded("Digests of the sections (SHA-256)", entries);
}

/** What the report says in its own words; undefined for a bare bench report. */
export function statementSection(view: ReportView): Section | undefined {
  const { statement, bench } = view;
  if (!statement) return undefined;
  const reasons = bench.bench_version === 2 ? bullets(bench.confidence_reasons) : undefined;
  return {
    id: "statement",
    heading: "In the report's own words",
    body: [
      markup`<p>${statement.verdict}</p>`,
      definitions([
        ...Object.entries(statement.metrics),
        ["limitations", statement.limitations],
        [
          "confidence, 0 to 10",
          markup`${figureMarkup(figureAt(view, "confidence"))}${bench.bench_version === 1 ? " (the author's own)" : ""} ${reasons}`,
        ],
        ["files", statement.files.join(", ")],
      ]),
    ],
  };
}
