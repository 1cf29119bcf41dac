import { reported } from "../../present/figure.js";
import type { ReportView } from "../../present/report-view.js";
import { table, type Section } from "../elements.js";
import { figureMarkup } from "../figure-markup.js";
import { markup, type Content } from "../markup.js";

/** The comparisons that were made together, each p adjusted for the others; undefined for a report that stands alone. */
export function familySection(view: ReportView): Section | undefined {
  const { bench } = view;
  if (bench.bench_version === 1 || bench.family.members.length === 1) return undefined;
  const { members, own } = bench.family;
  const rows = members.map((member, at): Content[] => {
    const p = (key: "p_value" | "holm" | "benjamini_hochberg"): Content =>
      member[key] === null ? "not finished" : figureMarkup(reported(view, `family.members[${at}].${key}`));
    const name = `${member.idea} on ${member.track} with ${member.model}`;
    return [
      at === own ? markup`<strong>${name}</strong> (this report)` : name,
      p("p_value"),
      p("holm"),
      p("benjamini_hochberg"),
    ];
  });
  const said = markup`<p>${members.length} comparisons were made together: the more there are, the likelier one of them looks significant by chance. Holm's adjusted p decides the strict verdict; Benjamini–Hochberg's, which bounds the share of false finds instead, is shown beside it.</p>`;
  const columns = ["comparison", "p, sign-flip", "p, Holm: decides", "p, Benjamini–Hochberg"];
  return { id: "family", heading: "Family", body: [said, table("Comparisons made together", columns, rows)] };
}
