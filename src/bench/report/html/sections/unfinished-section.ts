import { isUnfinished } from "../../figures/unfinished.js";
import type { ReportView } from "../../present/report-view.js";
import { table, type Section } from "../elements.js";
import { markup, type Content } from "../markup.js";

/** The cells that did not end, each with its reason; undefined where all of them did. */
export function unfinishedSection({ bench }: ReportView): Section | undefined {
  if (bench.bench_version === 1) return undefined;
  const rows = [
    ...bench.cells
      .filter(isUnfinished)
      .map(({ arm, cfg, seed, evaluated = "test", status, reason = "" }): Content[] => [
        `${arm}, seed ${seed}`,
        Object.entries(cfg)
          .map(([name, value]) => `${name} ${String(value)}`)
          .join(", "),
        evaluated,
        status,
        reason,
      ]),
    ...(bench.unmeasured ?? []).map(({ seed, status, reason }): Content[] => [
      `mechanism, seed ${seed}`,
      "the best",
      "test",
      status,
      reason,
    ]),
  ];
  if (rows.length === 0) return undefined;
  const said = markup`<p>These cells have no result: a time-out or a worker that died says nothing of what a cell computes. None of them is stored, so that <code>gradstand bench resume</code> tries each again; until then no seed is left out to make the arms comparable, and there is no verdict.</p>`;
  return {
    id: "unfinished",
    heading: "Cells that did not end",
    body: [
      said,
      table("Cells that did not end", ["cell", "configuration", "part", "status", "reason"], rows),
    ],
  };
}
