import type { ReportView } from "../present/report-view.js";
import { markup } from "./markup.js";
import { page } from "./page.js";
import { controlsSection } from "./sections/controls-section.js";
import { costSection } from "./sections/cost-section.js";
import { effectSection } from "./sections/effect-section.js";
import { familySection } from "./sections/family-section.js";
import { floorsSection } from "./sections/floors-section.js";
import { furtherMetricsSection } from "./sections/further-metrics-section.js";
import { mechanismSection } from "./sections/mechanism-section.js";
import { provenanceSection, statementSection, trustSection } from "./sections/trust-section.js";
import { tuningSection } from "./sections/tuning-section.js";
import { sequentialSection } from "./sections/sequential-section.js";
import { unfinishedSection } from "./sections/unfinished-section.js";
import { verdictSection } from "./sections/verdict-section.js";

/**
 * A report as one HTML file that needs neither network nor script: the verdict first in plain words, then the pairs of
 * seeds, the sweep, the mechanism with its controls, the floors, the cost, and everything taken on trust. Each number is a
 * `data` element with every digit in `value` and its path in `data-reported`, or in `data-computed` where the report does
 * not have it and it was computed from the report's values. Equal reports give equal pages.
 */
export function reportPage(view: ReportView): string {
  const sections = [
    verdictSection(view),
    unfinishedSection(view),
    effectSection(view),
    sequentialSection(view),
    familySection(view),
    furtherMetricsSection(view),
    floorsSection(view),
    tuningSection(view),
    mechanismSection(view),
    controlsSection(view),
    costSection(view),
    trustSection(view),
    statementSection(view),
    provenanceSection(view),
  ].filter((section) => section !== undefined);
  return page({
    title: view.title,
    kind: "bench report",
    subtitle: subtitle(view),
    sections,
    footer: markup`Made from ${view.file}. Numbers are rounded for reading; each holds all its digits and its place in the report as a tooltip. <code>gradstand bench verify</code> recomputes them.`,
  });
}

function subtitle({ bench }: ReportView): string {
  const preset = bench.bench_version === 2 ? `preset ${bench.protocol.preset}, ` : "";
  return `${bench.track} with ${bench.model}, ${preset}${bench.n_seeds} paired seeds, ${bench.metric_direction}, report of version ${bench.bench_version}`;
}
