import type { InspectDocument } from "../document.js";
import { visibleGraph, type VisibleNode } from "../view/visible-graph.js";

const brackets = {
  leaf: ["([", "])"],
  constant: ["[/", "/]"],
  operation: ["[", "]"],
  group: ["[[", "]]"],
} as const;
const classes = { "not finite": "nonfinite", "zero gradient": "zero", "no gradient": "uncomputed" } as const;

/** Mermaid reads entities in quoted labels; everything that could end a label becomes one. */
const quoted = (text: string): string =>
  text.replace(/[^\p{L}\p{N} .,_=:+*/‖…-]/gu, (sign) => `#${sign.codePointAt(0)};`);

/** The computation as a Mermaid flowchart. */
export function toMermaid(document: InspectDocument, { most = 60 }: { readonly most?: number } = {}): string {
  const { nodes, edges } = visibleGraph(document, most);
  const box = ({ key, kind, lines, mark }: VisibleNode): string => {
    const [start, end] = brackets[kind];
    const label = lines.map(quoted).join("<br/>");
    return `  ${key}${start}"${label}"${end}${mark ? `:::${classes[mark]}` : ""}`;
  };
  return [
    "flowchart TB",
    ...nodes.map(box),
    ...edges.map(({ from, to }) => `  ${from} --> ${to}`),
    "  classDef nonfinite stroke:#c0392b,color:#c0392b",
    "  classDef zero stroke:#8a6d00,color:#8a6d00",
    "  classDef uncomputed stroke:#777,color:#777,stroke-dasharray:4",
    "",
  ].join("\n");
}
