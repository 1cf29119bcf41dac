import type { InspectDocument } from "../document.js";
import { visibleGraph, type Mark, type VisibleNode } from "../view/visible-graph.js";
import { layered, type Layout } from "./layout.js";

/** A monospaced letter of 12 px; texts are set to this width whatever the font is. */
const letter = 7.25;
const line = 15;
const margin = 8;

const classes: Readonly<Record<Mark, string>> = {
  "not finite": "nonfinite",
  "zero gradient": "zero",
  "no gradient": "uncomputed",
};

const style = `text{font:12px ui-monospace,monospace;fill:#1c2733}.box{fill:#fff;stroke:#5b6b7b}.leaf{fill:#eaf3ff}.constant{fill:#f3f3f3}
.group{fill:#f1eefb;stroke-width:2}.edge{fill:none;stroke:#8a97a5}.nonfinite{stroke:#c0392b;stroke-width:2}.zero{stroke:#8a6d00;stroke-width:2}
.uncomputed{stroke-dasharray:4 3}.page{fill:#fff}@media(prefers-color-scheme:dark){.page{fill:#12181f}text{fill:#e4eaf0}.box{fill:#1d2630;
stroke:#8a97a5}.leaf{fill:#16324f}.constant{fill:#26303a}.group{fill:#2b2544}.nonfinite{stroke:#ff7b6b}.zero{stroke:#e0b93a}}`;

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Whole numbers are enough for a drawing. */
const round = (value: number): string => String(Math.round(value * 10) / 10);

const lettersIn = (text: string): number => [...text].length;

/** The computation as a drawing of its own, in light and dark; labels never overlap. */
export function toSvg(document: InspectDocument, { most = 150 }: { readonly most?: number } = {}): string {
  const { nodes, edges } = visibleGraph(document, most);
  const boxes = nodes.map(({ key, lines }) => ({
    key,
    width: Math.max(...lines.map(lettersIn)) * letter + 2 * margin,
    height: lines.length * line + margin,
  }));
  const sizes = new Map(boxes.map((box) => [box.key, box]));
  const layout = layered(boxes, edges);
  const title = escaped(document.subject);
  const width = Math.max(layout.width, lettersIn(document.subject) * letter + 2 * margin);
  const frame = `viewBox="0 0 ${round(width)} ${round(layout.height + 2 * line)}" width="${round(width)}" height="${round(layout.height + 2 * line)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${frame} role="img" aria-label="${title}">`,
    `<title>${title}</title><style>${style}</style>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#8a97a5"/></marker></defs>',
    '<rect class="page" width="100%" height="100%"/>',
    text(document.subject, margin, line),
    `<g transform="translate(0 ${line})">`,
    ...layout.paths.map(edge),
    ...nodes.map((node) => box(node, layout, sizes.get(node.key)!)),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function edge(points: Layout["paths"][number]): string {
  const [[x0, y0], ...rest] = points as [readonly [number, number], ...(readonly [number, number])[]];
  let d = `M${round(x0)} ${round(y0)}`;
  let [, before] = [x0, y0];
  let last = x0;
  for (const [x, y] of rest) {
    const middle = (before + y) / 2;
    d += `C${round(last)} ${round(middle)} ${round(x)} ${round(middle)} ${round(x)} ${round(y)}`;
    [last, before] = [x, y];
  }
  return `<path class="edge" d="${d}" marker-end="url(#arrow)"/>`;
}

function box(
  { key, kind, lines, mark }: VisibleNode,
  layout: Layout,
  size: { width: number; height: number },
): string {
  const { x, y } = layout.places.get(key)!;
  const corner = kind === "leaf" ? size.height / 2 : 4;
  const names = ["box", kind, mark && classes[mark]].filter(Boolean).join(" ");
  return [
    `<g id="${key}"><rect class="${names}" x="${round(x)}" y="${round(y)}" width="${round(size.width)}" height="${round(size.height)}" rx="${round(corner)}"/>`,
    ...lines.map((one, i) =>
      text(one, x + (size.width - lettersIn(one) * letter) / 2, y + (i + 1) * line - 1),
    ),
    "</g>",
  ].join("");
}

function text(content: string, x: number, y: number): string {
  const length = round(lettersIn(content) * letter);
  return `<text x="${round(x)}" y="${round(y)}" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(content)}</text>`;
}
