import { defineOp, isRecording, Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape, isFloating, NDArray, type FloatDType, type Floats } from "../../tensor/index.js";
import {
  attentionBackward,
  attentionForward,
  type AttentionArrays,
  type AttentionSizes,
} from "./attention-kernel.js";
import { jointMask, type MaskOptions } from "./attention-mask.js";
import { composedAttention, composedAttentionCotangents } from "./composed-attention.js";

interface Attributes {
  readonly hidden: Tensor | undefined;
  /** The weights, filled by the forward pass for the backward pass. */
  weights: Floats | undefined;
}

function sizesOf(q: NDArray, v: NDArray): AttentionSizes {
  const [batch, heads, queries, features] = q.shape as [number, number, number, number];
  const [keys, width] = v.shape.slice(2) as [number, number];
  return { stacks: batch * heads, queries, keys, features, width, dtype: q.dtype as FloatDType };
}

function arraysOf(q: NDArray, k: NDArray, v: NDArray, hidden: Tensor | undefined): AttentionArrays {
  return {
    q: q.data as Floats,
    k: k.data as Floats,
    v: v.data as Floats,
    hidden: hidden?.array.data as Uint8Array | undefined,
  };
}

const fused = defineOp<Attributes>({
  name: "attention",
  forward: ([q, k, v], attributes) => {
    const sizes = sizesOf(q!, v!);
    const { out, weights } = attentionForward(sizes, arraysOf(q!, k!, v!, attributes.hidden));
    attributes.weights = weights;
    return new NDArray([...q!.shape.slice(0, 3), sizes.width], sizes.dtype, out);
  },
  vjp: ({ cotangent: g, inputs, attributes: { hidden, weights } }) => {
    const [q, k, v] = inputs as [Tensor, Tensor, Tensor];
    if (isRecording()) return composedAttentionCotangents(g, q, k, v, hidden);
    const arrays = arraysOf(q.array, k.array, v.array, hidden);
    const found = attentionBackward(sizesOf(q.array, v.array), arrays, weights!, g.array.data as Floats);
    const like = (x: Tensor, data: Floats): Tensor => new Tensor(new NDArray(x.shape, x.dtype, data));
    return [like(q, found.q), like(k, found.k), like(v, found.v)];
  },
});

/** Options of {@link attention}. */
export interface AttentionOptions extends MaskOptions {
  /** A change to the weights `[batch, heads, queries, keys]` before they meet the values, such as dropout. */
  readonly weigh?: ((weights: Tensor) => Tensor) | undefined;
}

/**
 * softmax(q·kᵀ/√d)·v for q `[batch, heads, queries, d]`, k `[batch, heads, keys, d]`, v `[batch, heads, keys, width]`. A query that
 * may look at nothing gives exactly 0 and gradients 0; what a hidden key or value holds, NaN too, changes no bit.
 *
 * Source: Vaswani et al., "Attention Is All You Need", arXiv 1706.03762, eq. 1.
 *
 * @throws E_SHAPE, E_DTYPE
 */
export function attention(q: Tensor, k: Tensor, v: Tensor, options: AttentionOptions = {}): Tensor {
  checkOperands(q, k, v);
  const shape = [q.shape[0]!, q.shape[1]!, q.shape[2]!, k.shape[2]!] as const;
  const hidden = jointMask(options, shape)?.expand(shape);
  if (options.weigh) return composedAttention(q, k, v, hidden, options.weigh);
  return fused([q, k, v], { hidden, weights: undefined });
}

function checkOperands(q: Tensor, k: Tensor, v: Tensor): void {
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
