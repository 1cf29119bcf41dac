import { checkTensor } from "../check-input.js";
import { defineOp, isRecording, Tensor } from "../../autograd/index.js";
import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import { formatShape, isFloating, type AttentionLayout, type HeadRows } from "../../tensor/index.js";
import { isUnfused } from "../unfused.js";
import {
  attentionBackward,
  attentionFlops,
  attentionForward,
  maskSteps,
  type Attributes,
} from "./attention-kernel.js";
import { hiddenPairs, masksOf, type MaskOptions, type Masks, type PairShape } from "./attention-mask.js";
import {
  composedSoftmaxAttention,
  composedSoftmaxAttentionCotangents,
} from "./composed-softmax-attention.js";

/** softmax(q·kᵀ/√d)·v in one operation. */
export const attentionOperation = defineOp<Attributes>({
  name: "attention",
  flops: (_inputs, _output, { layout }) => attentionFlops(layout),
  forward: ([q, k, v], attributes) => {
    const shape = [...q!.shape.slice(0, 3), v!.shape[3]!];
    return attentionForward(attributes, q!, k!, v!, shape);
  },
  vjp: ({ cotangent: g, inputs, output, attributes }) => {
    const [q, k, v] = inputs as [Tensor, Tensor, Tensor];
    if (isRecording()) {
      const hidden = hiddenPairs(attributes.masks, pairShape(q, k));
      return composedSoftmaxAttentionCotangents(g, q, k, v, hidden);
    }
    const arrays = inputs.map((x) => x.array);
    return attentionBackward(attributes, arrays, output.array, g.array).map((x) => new Tensor(x));
  },
});

/** Options of {@link attention}. */
export interface AttentionOptions extends MaskOptions {
  /**
   * A change to the weights `[batch, heads, queries, keys]` before they meet the values, such as dropout. What it makes of the
   * weight of a hidden pair is ignored.
   */
  readonly weigh?: ((weights: Tensor) => Tensor) | undefined;
}

/**
 * softmax(q·kᵀ/√d)·v for q `[batch, heads, queries, d]`, k `[batch, heads, keys, d]`, v `[batch, heads, keys, width]`. A query that
 * may look at nothing gives exactly 0 and gradients 0, whatever it holds. What a key or value holds, NaN too, changes no bit of the
 * output of a query that may not look at it, nor of that query's gradient, under every mask, with `weigh` and in second derivatives;
 * hidden from all queries it changes no bit of anything.
 *
 * Source: Vaswani et al., "Attention Is All You Need", arXiv 1706.03762, eq. 1.
 *
 * @throws E_SHAPE, E_DTYPE
 */
export function attention(q: Tensor, k: Tensor, v: Tensor, options: AttentionOptions = {}): Tensor {
  checkedOptions("attention", options);
  checkOperands(q, k, v);
  const shape = pairShape(q, k);
  const masks = masksOf(options, shape);
  if (options.weigh !== undefined && typeof options.weigh !== "function")
    fail(
      "E_VALUE",
      `attention: expected weigh to be a function of the weights, got ${formatGiven(options.weigh)}`,
    );
  if (options.weigh || isUnfused())
    return composedSoftmaxAttention(q, k, v, hiddenPairs(masks, shape), options.weigh);
  const layout = layoutOf(q, k, v, masks);
  const differentiated = isRecording() && [q, k, v].some((x) => x.requiresGrad);
  return attentionOperation([q, k, v], { layout, masks, differentiated, weights: undefined });
}

function pairShape(q: Tensor, k: Tensor): PairShape {
  return [q.shape[0]!, q.shape[1]!, q.shape[2]!, k.shape[2]!];
}

function layoutOf(q: Tensor, k: Tensor, v: Tensor, masks: Masks): AttentionLayout {
  const shape = pairShape(q, k);
  const [batch, heads, queries, keys] = shape;
  const features = q.shape[3]!;
  const width = v.shape[3]!;
  const rows = (n: number, columns: number): HeadRows => ({
    start: 0,
    batch: heads * n * columns,
    head: n * columns,
    row: columns,
  });
  return {
    batch,
    heads,
    queries,
    keys,
    features,
    width,
    q: rows(queries, features),
    k: rows(keys, features),
    v: rows(keys, width),
    out: rows(queries, width),
    mask: maskSteps(masks, shape),
    causal: masks.causal,
  };
}

function checkOperands(q: Tensor, k: Tensor, v: Tensor): void {
  for (const [name, x] of Object.entries({ q, k, v })) checkTensor("attention", name, x);
  const [batch, heads, , d] = q.shape;
  const [keyBatch, keyHeads, keys, keyD] = k.shape;
  const [valueBatch, valueHeads, values] = v.shape;
  const four = q.rank === 4 && k.rank === 4 && v.rank === 4;
  const stacks = batch === keyBatch && batch === valueBatch && heads === keyHeads && heads === valueHeads;
  if (!four || !stacks || d !== keyD || d === 0 || keys !== values) {
    fail(
      "E_SHAPE",
      "attention: expected q [batch, heads, queries, d], k [batch, heads, keys, d] and v [batch, heads, keys, width], got " +
        [q, k, v].map((x) => formatShape(x.shape)).join(", "),
    );
  }
  if (!isFloating(q.dtype) || k.dtype !== q.dtype || v.dtype !== q.dtype) {
    fail(
      "E_DTYPE",
      `attention: expected q, k and v of one floating type, got ${q.dtype}, ${k.dtype} and ${v.dtype}`,
    );
  }
}
