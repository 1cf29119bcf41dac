import { noGrad, tensor, type Tensor } from "../../autograd/index.js";
import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import type { CausalOperationCall } from "../../ideas/residual-pivoted/causal/operation.js";
import type { Call } from "../../ideas/residual-pivoted/operation.js";
import type { InspectDocument, InspectNode, Summary } from "../document.js";
import { fromJson } from "../json-number.js";
import { whereReplayable, type Recomputed, type ReplayOptions } from "../replay/recompute.js";
import { isNonFinite } from "../why/reader.js";
import type { AttentionMap, NotFinite } from "./attention-map.js";
import { composedAttention, type ComposedAttention } from "./composed-attention.js";
import { exactWeights, operandsOf } from "./operands.js";
import { asFour, countsOf, perHead, perPair } from "./pairs.js";
import { causalPivotedWeights, pivotedWeights } from "./pivoted-weights.js";

/** Options of {@link attentionMaps}. */
export interface AttentionMapOptions extends ReplayOptions {
  /** How many examples of the batch are shown. Default 4. */
  readonly examples?: number;
}

type Found = Omit<AttentionMap, "node" | "path" | "hiddenRows">;

/**
 * The attentions of a computation in their order: where each head of each layer looks, for the first examples of the batch. An attention is
 * an `attention` or the heads of a `MultiHeadAttention`, fused or composed; a softmax of the user's own of products of queries and keys that
 * weighs values; and `residualPivotedAttention`, whose weights stand beside the exact ones. Weights are computed again from queries and
 * keys, by the kernels of the operation itself, where `replay` could do it; of a composed one they are read where they were kept whole.
 *
 * @throws E_VALUE for a number of examples below 1
 */
export function attentionMaps(
  document: InspectDocument,
  options: AttentionMapOptions = {},
): readonly AttentionMap[] {
  checkedOptions("attentionMaps", options);
  const { examples = 4, ...replaying } = options;
  if (!Number.isSafeInteger(examples) || examples < 1)
    fail(
      "E_VALUE",
      `attentionMaps: expected examples to be a whole number above 0, got ${formatGiven(examples)}`,
    );
  const found = document.nodes.flatMap((node) => {
    const composed = composedAttention(document, node);
    return composed || fused.has(node.op) ? [{ node, composed }] : [];
  });
  const again = found.length > 0 ? whereReplayable(document, replaying)?.run() : undefined;
  return found.map(({ node, composed }) => ({
    node: node.id,
    path: node.call === undefined ? "" : document.calls[node.call]!.path,
    ...noGrad(() =>
      composed
        ? composedMap(node, composed, again, examples)
        : again
          ? fusedMap(node, again, examples)
          : hiddenMap(document, node, examples),
    ),
    ...(node.hiddenRows && { hiddenRows: node.hiddenRows }),
  }));
}

const fused: ReadonlySet<string | undefined> = new Set([
  "attention",
  "headsAttention",
  "residualPivotedAttention",
  "causalPivotedAttention",
]);
const isPivoted = ({ op }: InspectNode): boolean => op?.endsWith("PivotedAttention") === true;
const itself = (value: number): number => value;

/** Of a softmax between elementary operations: its own value. */
function composedMap(
  node: InspectNode,
  { q, k, v, hidden }: ComposedAttention,
  again: Recomputed | undefined,
  most: number,
): Found {
  const whole = ({ id, shape, dtype, value }: InspectNode): Tensor | undefined =>
    again?.tensors[id] ??
    (value.values && tensor(Float64Array.from(value.values, fromJson), { shape: [...shape] }).cast(dtype));
  const counts = countsOf({ shape: foursOf(node.shape) }, most);
  const weights = whole(node);
  const flags = hidden && whole(hidden)?.expand(node.shape);
  return {
    kind: "exact",
    ...counts,
    ...(weights && { weights: perPair(asFour(weights.detach()), counts, itself) }),
    ...(flags && { hidden: perPair(asFour(flags), counts, Boolean) }),
    notFinite: notFiniteOf({ q: q.value, k: k.value, v: v.value }, isNonFinite(node.value)),
  };
}

/** Of one operation whose inputs are known. */
function fusedMap(node: InspectNode, { tensors, attributes }: Recomputed, most: number): Found {
  const operands = operandsOf(node, tensors, attributes[node.id]);
  const { q, k, v, hidden } = operands;
  const exact = exactWeights(operands);
  const counts = countsOf(exact, most);
  const call = attributes[node.id];
  const pivoted = node.op === "residualPivotedAttention" ? pivotedWeights(operands, call as Call) : undefined;
  const causal =
    node.op === "causalPivotedAttention"
      ? causalPivotedWeights(operands, call as CausalOperationCall)
      : undefined;
  const weights = pivoted?.weights ?? causal ?? exact;
  const holds = (x: Tensor): boolean => !x.array.data.every(Number.isFinite);
  return {
    kind: isPivoted(node) ? "pivoted" : "exact",
    ...counts,
    weights: perPair(weights, counts, itself),
    ...(isPivoted(node) && { exact: perPair(exact, counts, itself) }),
    ...(pivoted && {
      pivots: perHead(counts, pivoted.pivotsOf),
      floored: perHead(counts, pivoted.flooredOf),
    }),
    ...(hidden && { hidden: perPair(hidden, counts, Boolean) }),
    notFinite: holdersOf({ q: holds(q), k: holds(k), v: holds(v) }, holds(weights)),
  };
}

/** Of one operation whose inputs are known as summaries only. */
function hiddenMap({ nodes }: InspectDocument, node: InspectNode, most: number): Found {
  const inputs = node.inputs!.map((id) => nodes[id]!);
  const [q, k = q, v = k] = inputs as [InspectNode, InspectNode?, InspectNode?];
  const sizes =
    node.op === "headsAttention" ? headSizes(node) : foursOf([...q.shape.slice(0, -1), k.shape.at(-2)!]);
  return {
    kind: isPivoted(node) ? "pivoted" : "exact",
    ...countsOf({ shape: sizes }, most),
    notFinite:
      inputs.length === 1
        ? isNonFinite(q.value)
          ? ["q, k or v"]
          : []
        : notFiniteOf({ q: q.value, k: k.value, v: v.value }, false),
  };
}

/** `[batch, heads, queries, keys]` from the settings of the operation. */
function headSizes({ attributes }: InspectNode): number[] {
  const layout = (attributes?.layout ?? {}) as Record<string, number>;
  return ["batch", "heads", "queries", "keys"].map((size) => layout[size] ?? 0);
}

function foursOf(shape: readonly number[]): number[] {
  const leading = shape.slice(0, -2);
  const heads = leading.length > 1 ? leading.at(-1)! : 1;
  return [leading.reduce((product, size) => product * size, 1) / heads, heads, ...shape.slice(-2)];
}

function notFiniteOf(parts: Readonly<Record<"q" | "k" | "v", Summary>>, weights: boolean): NotFinite[] {
  const { q, k, v } = parts;
  return holdersOf({ q: isNonFinite(q), k: isNonFinite(k), v: isNonFinite(v) }, weights);
}

function holdersOf(parts: Readonly<Record<"q" | "k" | "v", boolean>>, weights: boolean): NotFinite[] {
  const held = (["q", "k", "v"] as const).filter((part) => parts[part]);
  return weights && !parts.q && !parts.k ? [...held, "scores"] : held;
}
