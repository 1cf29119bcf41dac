import { bullets, definitions, folded, table, type Section } from "../../report/html/elements.js";
import { markup, type Content } from "../../report/html/markup.js";
import { page } from "../../report/html/page.js";
import type { StudyDocument } from "../study-document.js";
import { cellText } from "../cell-text.js";
import { linePlot } from "./line-plot.js";
import { studyStyle } from "./study-style.js";

/** Tables with more rows are there to be unfolded. */
const mostRows = 40;

/**
 * A study as one HTML file that needs neither network nor script: what was found, the plots, the tables, and where it was
 * measured. Equal documents give equal pages.
 */
export function studyPage(study: StudyDocument): string {
  const { findings, plots, tables, omitted, provenance, grid } = study;
  const sections: Section[] = [
    {
      id: "findings",
      heading: "What was found",
      body: findings.length > 0 ? bullets(findings) : markup`<p>Nothing: the study has too few cells.</p>`,
    },
    { id: "plots", heading: "Plots", body: markup`<div class="plots">${plots.map(linePlot)}</div>` },
    { id: "tables", heading: "Tables", body: tables.map(tableMarkup) },
    ...(omitted.length > 0
      ? [{ id: "omitted", heading: "What was left out", body: bullets(omitted.map(omittedText)) }]
      : []),
    {
      id: "provenance",
      heading: "How it was made",
      body: definitions([
        ["command", markup`<code>${provenance.command}</code>`],
        ["machine", `${provenance.cpu}, ${provenance.platform}, Node ${provenance.node}`],
        ["kernels", provenance.kernels],
        ["cells", study.cells.length],
        ["seconds, all cells together", cellText(study.cells.reduce((sum, { seconds }) => sum + seconds, 0))],
        ["grid", Object.entries(grid).map(([axis, values]) => markup`${axis}: ${values.join(", ")}\n`)],
        ["version", provenance.version],
        ...(provenance.commit === undefined ? [] : [["commit", provenance.commit] as const]),
      ]),
    },
  ];
  return page({
    title: study.title,
    kind: "study",
    subtitle: study.question,
    sections,
    footer: "Made from study.json, which has every figure with all its digits.",
    style: studyStyle,
  });
}

function tableMarkup({ title, columns, rows }: StudyDocument["tables"][number]): Content {
  const made = table(
    title,
    columns,
    rows.map((row) => row.map(cellText)),
  );
  return rows.length > mostRows ? folded(`${title} (${rows.length} rows)`, made) : made;
}

function omittedText({ point, why }: StudyDocument["omitted"][number]): string {
  const place = Object.entries(point).map(([axis, value]) => `${axis} ${value}`);
  return `${place.join(", ")}: ${why}`;
}
