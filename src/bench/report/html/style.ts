/**
 * The style of the page. Blue and orange of Okabe and Ito's palette keep the arms apart for every kind of colour vision
 * (https://jfly.uni-koeln.de/color/), in shades that stand out from either background; their forms differ too.
 */
export const style = `
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1a1a1a; --faint: #595959; --rule: #d4d4d4; --wash: #f3f4f6;
  --baseline: #0072b2; --idea: #c04d00; --other: #4d4d4d; --band: #009e7333; --link: #8c8c8c;
  --better: #00694d; --worse: #a32100; --same: #4d4d4d; --open: #8a5a00; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #15171a; --ink: #ececec; --faint: #b0b0b0; --rule: #43474d; --wash: #212429;
  --baseline: #56b4e9; --idea: #f0a030; --other: #cfcfcf; --band: #00c79140; --link: #8c8c8c;
  --better: #4fd1a5; --worse: #ff8f70; --same: #cfcfcf; --open: #f0c060; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem clamp(0.75rem, 3vw, 2rem) 3rem; max-width: 76rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0 0.25rem; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.25rem 0 0.4rem; }
a { color: var(--baseline); }
header p, .why, .formula, figcaption, caption, footer { color: var(--faint); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0; margin: 0.75rem 0; }
.verdict, .broken { border-left: 0.4rem solid var(--open); background: var(--wash); padding: 0.75rem 1rem; margin: 0 0 1rem; }
.verdict p, .broken p { margin: 0.35rem 0; max-width: 52rem; }
.headline { font-size: 1.25rem; font-weight: 700; }
.verdict .headline { color: var(--open); }
.verdict.better { border-color: var(--better); } .verdict.better .headline { color: var(--better); }
.verdict.worse { border-color: var(--worse); } .verdict.worse .headline { color: var(--worse); }
.verdict.same { border-color: var(--same); } .verdict.same .headline { color: var(--same); }
.broken { border-color: var(--worse); } .broken .headline, .fault { color: var(--worse); }
.beside { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.5rem 2rem; align-items: start; margin-bottom: 1rem; }
@media (min-width: 56rem) { .beside { grid-template-columns: minmax(0, 30rem) minmax(0, 1fr); } }
figure { margin: 0.5rem 0; max-width: 32rem; }
figcaption, caption { text-align: left; font-weight: 600; padding: 0.25rem 0; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 11px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .tick { fill: var(--faint); } svg .lost { fill: var(--worse); font-weight: 700; }
svg .grid { stroke: var(--rule); stroke-width: 0.7; } svg .axis { stroke: var(--faint); }
svg .zero { stroke: var(--ink); stroke-dasharray: 4 3; } svg .link { stroke: var(--link); stroke-width: 1.5; }
svg .shade { fill: var(--wash); } svg .band { fill: var(--band); }
svg .baseline { fill: var(--baseline); } svg .idea { fill: var(--idea); } svg .other { fill: var(--other); }
svg .ring { fill: none; stroke: var(--ink); stroke-width: 1.5; }
svg .range { stroke-width: 2.5; } svg .curve { fill: none; stroke-width: 1.3; opacity: 0.8; }
svg .baseline-line { stroke: var(--baseline); } svg .idea-line { stroke: var(--idea); } svg .other-line { stroke: var(--other); }
svg .curve.idea-line { stroke-dasharray: 6 2; }
.scroll { overflow-x: auto; margin: 0.5rem 0; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { text-align: left; padding: 0.25rem 0.9rem 0.25rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
tbody th { font-weight: 400; min-width: 6.5rem; } data, .whole { white-space: nowrap; } .formula { display: block; font-size: 0.85rem; }
dl { display: grid; grid-template-columns: minmax(7rem, 17rem) minmax(0, 1fr); gap: 0.25rem 1rem; font-size: 0.95em; margin: 0.5rem 0; }
dt { color: var(--faint); } dd { margin: 0; white-space: pre-line; } .why { display: block; font-size: 0.85rem; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.85em; }
details { margin: 0.75rem 0; } summary { cursor: pointer; font-weight: 600; padding: 0.25rem 0; }
:focus-visible { outline: 2px solid var(--baseline); outline-offset: 2px; }
footer { margin-top: 2.5rem; font-size: 0.85rem; }
@media (max-width: 34rem) { dl { grid-template-columns: minmax(0, 1fr); } dd { margin-bottom: 0.4rem; }
  table { font-size: 0.8rem; } th, td { padding-right: 0.6rem; } tbody th { min-width: 4.5rem; } }
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --faint: #444; --rule: #bbb; --wash: #f3f4f6; --baseline: #0072b2;
    --idea: #c04d00; --other: #4d4d4d; --band: #009e7333; --better: #00694d; --worse: #a32100; --same: #4d4d4d; --open: #8a5a00; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 10pt; padding: 0; max-width: none; } nav { display: none; }
  figure, tr, .verdict, .broken { break-inside: avoid; } h2, h3, caption, figcaption { break-after: avoid; }
  .scroll { overflow: visible; } table { font-size: 8pt; }
  th, td { padding-right: 0.4rem; overflow-wrap: anywhere; } .scroll th, .scroll td, .scroll .whole { white-space: normal; }
  .beside { grid-template-columns: minmax(0, 1fr); } figure { max-width: 26rem; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
}
`;
