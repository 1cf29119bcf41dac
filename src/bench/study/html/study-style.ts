/**
 * The style of a study's plots, after that of every page: seven colours of Okabe and Ito's palette
 * (https://jfly.uni-koeln.de/color/), darkened where they would be faint on white, and a dash for each further seven lines.
 */
export const studyStyle = `
:root { --line-0: #1a1a1a; --line-1: #0072b2; --line-2: #c04d00; --line-3: #00805d; --line-4: #a8517f; --line-5: #b07800; --line-6: #2f86b8; }
@media (prefers-color-scheme: dark) { :root { --line-0: #ececec; --line-1: #4aa3df; --line-2: #f0803c; --line-3: #3ec59b;
  --line-4: #e09bc4; --line-5: #f0b840; --line-6: #8cd0f5; } }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: 0.5rem 2rem; }
svg .line { fill: none; stroke-width: 1.6; } svg .dash-1 { stroke-dasharray: 6 3; } svg .dash-2 { stroke-dasharray: 2 3; }
${Array.from({ length: 7 }, (_, at) => `svg .line-${at} { stroke: var(--line-${at}); } svg .mark-${at} { fill: var(--line-${at}); }`).join("\n")}
`;

/** Lines that have a colour of their own. */
export const lineColours = 7;
