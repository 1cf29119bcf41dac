import { eye, tensor, type Tensor } from "../../autograd/index.js";
import type { Call } from "../../ideas/residual-pivoted/operation.js";
import type { BatchMask } from "../../ideas/residual-pivoted/kernel/batch.js";
import type { Attributes } from "../../nn/attention/attention-kernel.js";
import { hiddenPairs, type PairShape } from "../../nn/attention/attention-mask.js";
import { attention } from "../../nn/attention/attention.js";
import { partsOf, splitHeads } from "../../nn/attention/heads-attention.js";
import type { InspectNode } from "../document.js";
import { asFour } from "./pairs.js";

/** What an attention works on: q `[batch, heads, queries, d]`, k and v `[batch, heads, keys, …]`. */
export interface Operands {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** bool `[batch, heads, queries, keys]`, true for hidden. */
  readonly hidden: Tensor | undefined;
}

/** The operands of an operation, from the values of its inputs and what it got beside them. */
export function operandsOf(node: InspectNode, tensors: readonly Tensor[], attributes: unknown): Operands {
  const inputs = node.inputs!.map((id) => tensors[id]!.detach());
  if (node.op === "residualPivotedAttention") {
    const [q, k, v] = inputs.map(asFour) as [Tensor, Tensor, Tensor];
    return { q, k, v, hidden: maskedPairs(attributes as Call, q, k) };
  }
  if (node.op === "causalPivotedAttention") {
    const [q, k, v] = inputs.map(asFour) as [Tensor, Tensor, Tensor];
    return { q, k, v, hidden: hiddenPairs({ flags: undefined, causal: true }, pairShape(q, k)) };
  }
  const { masks, layout } = attributes as Attributes;
  const parts =
    node.op === "headsAttention" ? partsOf(inputs).map((x) => splitHeads(x, layout.heads)) : inputs;
  const [q, k, v] = parts as [Tensor, Tensor, Tensor];
  return { q, k, v, hidden: hiddenPairs(masks, pairShape(q, k)) };
}

/** The weights of exact attention `[batch, heads, queries, keys]`: what it makes of values that are the rows of the identity. */
export function exactWeights({ q, k, hidden }: Operands): Tensor {
  const [batch, heads, , keys] = pairShape(q, k);
  const values = eye(keys, keys, { dtype: q.dtype }).expand([batch, heads, keys, keys]);
  return attention(q, k, values, { attnMask: hidden });
}

function pairShape(q: Tensor, k: Tensor): PairShape {
  return [q.shape[0]!, q.shape[1]!, q.shape[2]!, k.shape[2]!];
}

/** The pairs in which a query or a key is padding. */
function maskedPairs(
  { problems, plan: { queryMask, keyMask } }: Call,
  q: Tensor,
  k: Tensor,
): Tensor | undefined {
  if (!queryMask && !keyMask) return undefined;
  const [, heads, queries, keys] = pairShape(q, k);
  const padding = (mask: BatchMask | undefined, tokens: number): Uint8Array =>
    Uint8Array.from({ length: problems * tokens }, (_, at) => {
      const row = mask && Math.floor((Math.floor(at / tokens) * mask.rows) / problems);
      return mask && mask.tokens[row! * tokens + (at % tokens)] !== 1 ? 1 : 0;
    });
  const flags = (mask: BatchMask | undefined, tokens: number, shape: number[]): Tensor =>
    tensor(padding(mask, tokens), { shape, dtype: "bool" });
  const batch = problems / heads;
  return flags(queryMask, queries, [batch, heads, queries, 1])
    .logicalOr(flags(keyMask, keys, [batch, heads, 1, keys]))
    .expand([batch, heads, queries, keys]);
}
