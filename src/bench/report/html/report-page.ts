import type { ReportView } from "../present/report-view.js";
import type { Section } from "./elements.js";
import { Markup, markup, type Content } from "./markup.js";
import { controlsSection } from "./sections/controls-section.js";
import { costSection } from "./sections/cost-section.js";
import { effectSection } from "./sections/effect-section.js";
import { familySection } from "./sections/family-section.js";
import { floorsSection } from "./sections/floors-section.js";
import { furtherMetricsSection } from "./sections/further-metrics-section.js";
import { mechanismSection } from "./sections/mechanism-section.js";
import { provenanceSection, statementSection, trustSection } from "./sections/trust-section.js";
import { tuningSection } from "./sections/tuning-section.js";
import { verdictSection } from "./sections/verdict-section.js";
import { style } from "./style.js";

/** Nothing but the style in the page itself: no script, no request, whatever a report's texts hold. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * A report as one HTML file that needs neither network nor script: the verdict first in plain words, then the pairs of
 * seeds, the sweep, the mechanism with its controls, the floors, the cost, and everything taken on trust. Each number is a
 * `data` element with every digit in `value` and its path in `data-reported`, or in `data-computed` where the report does
 * not have it and it was computed from the report's values. Equal reports give equal pages.
 */
export function reportPage(view: ReportView): string {
  const sections = [
    verdictSection(view),
    effectSection(view),
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
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${view.title}: bench report</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header><h1>${view.title}</h1>
<p>${subtitle(view)}</p></header>
<nav aria-label="Contents"><ul>${sections.map(({ id, heading }) => markup`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>
<main>
${sections.map(written)}</main>
<footer><p>Made from ${view.file}. Numbers are rounded for reading; each holds all its digits and its place in the report as a tooltip. <code>gradstand bench verify</code> recomputes them.</p></footer>
</body>
</html>
`.text;
}

function written({ id, heading, body }: Section): Content {
  return markup`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
${body}
</section>
`;
}

function subtitle({ bench }: ReportView): string {
  const preset = bench.bench_version === 2 ? `preset ${bench.protocol.preset}, ` : "";
  return `${bench.track} with ${bench.model}, ${preset}${bench.n_seeds} paired seeds, ${bench.metric_direction}, report of version ${bench.bench_version}`;
}
