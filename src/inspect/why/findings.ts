import type { CodeLine, InspectDocument } from "../document.js";
import { deadUnitsSentence, hiddenRowsSentence } from "./birth-sentence.js";
import { isZero, Reader } from "./reader.js";
import { whyNaN } from "./why-nan.js";
import { whyZero } from "./why-zero.js";

/** Something about a computation that deserves a look. */
export interface Finding {
  readonly kind: "not finite" | "zero gradient" | "no gradient" | "hidden rows" | "dead units";
  /** Where it comes from. */
  readonly node: number;
  readonly sentence: string;
  readonly source?: CodeLine;
  /** The leaves that it concerns. */
  readonly leaves: readonly number[];
}

/**
 * What is not finite, every leaf whose gradient is 0 or was not computed (together where the cause is one), rows that a mask hides, and
 * units of a relu that are 0 for the whole batch while others are not.
 */
export function findings(document: InspectDocument): Finding[] {
  const reader = new Reader(document);
  const found: Finding[] = [];
  const nan = whyNaN(document);
  if (nan) found.push({ kind: "not finite", ...pick(nan), leaves: [] });
  const groups = new Map<string, Finding & { readonly leaves: number[] }>();
  for (const { id, kind } of document.nodes) {
    if (kind !== "leaf") continue;
    const gradient = reader.gradient(id);
    if (gradient && !isZero(gradient)) continue;
    const { status, cause, sentence, source } = whyZero(document, id);
    const of = status === "not computed" ? "no gradient" : "zero gradient";
    const key = `${of} ${cause ?? `of ${id}`}`;
    const known = groups.get(key);
    if (known) known.leaves.push(id);
    else groups.set(key, { kind: of, node: cause ?? id, sentence, ...(source && { source }), leaves: [id] });
  }
  found.push(...groups.values());
  const blamed = new Set(found.map(({ node }) => node));
  for (const node of document.nodes)
    if (node.hiddenRows && !blamed.has(node.id)) {
      const sentence = `${hiddenRowsSentence(node, node.hiddenRows)} [${reader.title(node.id)}]`;
      found.push({ kind: "hidden rows", ...pick({ ...node, node: node.id, sentence }), leaves: [] });
    }
  for (const node of document.nodes)
    if (node.deadUnits) {
      const sentence = `${deadUnitsSentence(node, node.deadUnits)} [${reader.title(node.id)}]`;
      found.push({ kind: "dead units", ...pick({ ...node, node: node.id, sentence }), leaves: [] });
    }
  return found;
}

function pick({
  node,
  sentence,
  source,
}: Pick<Finding, "node" | "sentence" | "source">): Pick<Finding, "node" | "sentence" | "source"> {
  return { node, sentence, ...(source && { source }) };
}
