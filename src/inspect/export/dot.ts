import type { InspectDocument } from "../document.js";
import type { Group } from "../view/outline.js";
import { visibleGraph, type VisibleNode } from "../view/visible-graph.js";

const colours = { "not finite": "#c0392b", "zero gradient": "#8a6d00", "no gradient": "#777777" } as const;
const shapes = { leaf: "ellipse", constant: "plaintext", operation: "box", group: "box3d" } as const;

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** The computation as a graph for Graphviz; modules that are open are clusters. */
export function toDot(document: InspectDocument, { most = 120 }: { readonly most?: number } = {}): string {
  const { nodes, edges } = visibleGraph(document, most);
  const lines = ["digraph computation {", "  rankdir=TB;", '  node [fontname="monospace", fontsize=10];'];
  lines.push(`  label=${quoted(document.subject)};`);
  let clusters = 0;
  let open: readonly Group[] = [];
  const pad = (depth: number): string => "  ".repeat(depth + 1);
  const move = (to: readonly Group[]): void => {
    let same = 0;
    while (same < open.length && same < to.length && open[same] === to[same]) same++;
    for (let depth = open.length; depth > same; depth--) lines.push(`${pad(depth - 1)}}`);
    for (let depth = same; depth < to.length; depth++)
      lines.push(
        `${pad(depth)}subgraph cluster_${clusters++} {`,
        `${pad(depth + 1)}label=${quoted(to[depth]!.title)}; style=rounded;`,
      );
    open = to;
  };
  for (const node of nodes) {
    move(node.within);
    lines.push(`${pad(open.length)}${node.key} [${attributes(node)}];`);
  }
  move([]);
  for (const { from, to } of edges) lines.push(`  ${from} -> ${to};`);
  return `${lines.join("\n")}\n}\n`;
}

function attributes({ lines, kind, mark }: VisibleNode): string {
  const label = `"${lines.map((line) => quoted(line).slice(1, -1)).join("\\n")}"`;
  return `label=${label}, shape=${shapes[kind]}${mark ? `, color="${colours[mark]}", fontcolor="${colours[mark]}"` : ""}`;
}
