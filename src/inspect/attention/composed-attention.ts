import type { InspectDocument, InspectNode } from "../document.js";

/** An attention that was recorded in elementary operations, around its softmax. */
export interface ComposedAttention {
  readonly q: InspectNode;
  readonly k: InspectNode;
  readonly v: InspectNode;
  /** The mask, true for hidden, where there is one. */
  readonly hidden: InspectNode | undefined;
}

/** What may stand between the product of queries and keys, the softmax, and the product with the values. */
const between: ReadonlySet<string | undefined> = new Set([
  "mul",
  "div",
  "add",
  "sub",
  "where",
  "scale",
  "cast",
  "reshape",
]);
const products: ReadonlySet<string | undefined> = new Set(["matmul", "visibleScores", "visibleSum"]);
const farthest = 6;

/** The attention that a softmax is the heart of: of products of queries and keys, and weighing values; undefined for any other. */
export function composedAttention(
  { nodes }: InspectDocument,
  softmax: InspectNode,
): ComposedAttention | undefined {
  if (softmax.op !== "softmax" || softmax.shape.length < 2) return undefined;
  const inputsOf = ({ inputs = [] }: InspectNode): InspectNode[] => inputs.map((id) => nodes[id]!);
  let hidden: InspectNode | undefined;
  const scoresFrom = (node: InspectNode, left: number): InspectNode | undefined => {
    if (products.has(node.op)) return node;
    if (left === 0 || !between.has(node.op)) return undefined;
    const inputs = inputsOf(node);
    for (const input of inputs) {
      const found = scoresFrom(input, left - 1);
      if (!found) continue;
      if (node.op === "where" && input === inputs[2]) hidden ??= inputs[0];
      return found;
    }
    return undefined;
  };
  const valuesOf = (node: InspectNode, left: number): InspectNode | undefined => {
    for (const user of nodes.slice(node.id + 1).filter(({ inputs }) => inputs?.includes(node.id))) {
      if (products.has(user.op) && user.inputs![0] === node.id) return nodes[user.inputs![1]!];
      const found = left > 0 && between.has(user.op) ? valuesOf(user, left - 1) : undefined;
      if (found) return found;
    }
    return undefined;
  };
  const scores = inputsOf(softmax).map((input) => scoresFrom(input, farthest))[0];
  const v = scores && valuesOf(softmax, 2);
  if (!scores || !v) return undefined;
  const [q, k] = inputsOf(scores) as [InspectNode, InspectNode];
  return { q, k, v, hidden: hidden?.shape.length === softmax.shape.length ? hidden : undefined };
}
