import {
  broadcastStrides,
  kernels,
  keptWeights,
  NDArray,
  reserve,
  type AttentionLayout,
  type FloatDType,
  type Floats,
  type MaskSteps,
} from "../../tensor/index.js";
import type { Masks, PairShape } from "./attention-mask.js";

/**
 * So many weights at most, 16 MiB of float32, are kept by one attention for its backward pass; where there are more, that computes
 * them again, 32 queries at a time.
 */
const mostKept = 2 ** 22;

/** What a fused attention remembers. */
export interface Attributes {
  readonly layout: AttentionLayout;
  readonly masks: Masks;
  /** Whether a backward pass may follow. */
  readonly differentiated: boolean;
  /** The weights, when the forward pass has kept them. */
  weights: Floats | undefined;
}

/** The steps through the flags of hidden pairs. */
export function maskSteps({ flags }: Masks, shape: PairShape): MaskSteps | undefined {
  if (!flags) return undefined;
  const [batch, head, row, column] = broadcastStrides(flags.shape, shape) as [number, number, number, number];
  return { batch, head, row, column };
}

const flagsOf = ({ flags }: Masks): Uint8Array | undefined => flags?.array.data as Uint8Array | undefined;

/** softmax(q·kᵀ/√d)·v; keeps the weights in the attributes when they are few and a backward pass may follow. */
export function attentionForward(
  attributes: Attributes,
  q: NDArray,
  k: NDArray,
  v: NDArray,
  shape: readonly number[],
): NDArray {
  const { layout, masks, differentiated } = attributes;
  const dtype = q.dtype as FloatDType;
  const kept = keptWeights(layout);
  const weights = differentiated && kept <= mostKept ? reserve(dtype, kept) : undefined;
  const { batch, heads, queries, width } = layout;
  const out = reserve(dtype, batch * heads * queries * width);
  kernels().attention(layout, {
    q: q.data as Floats,
    k: k.data as Floats,
    v: v.data as Floats,
    hidden: flagsOf(masks),
    out,
    weights,
  });
  attributes.weights = weights;
  return new NDArray(shape, dtype, out);
}

/** The cotangents of the arrays that hold q, k and v, each array once; one that holds all three is written in three parts. */
export function attentionBackward(
  { layout, masks, weights }: Attributes,
  inputs: readonly NDArray[],
  out: NDArray,
  g: NDArray,
): NDArray[] {
  const found = inputs.map((x) => new NDArray(x.shape, x.dtype, reserve(x.dtype as FloatDType, x.size)));
  const [q, k = q, v = q] = inputs.map((x) => x.data as Floats);
  const [dq, dk = dq, dv = dq] = found.map((x) => x.data as Floats);
  const arrays = { q: q!, k: k!, v: v!, hidden: flagsOf(masks), out: out.data as Floats, weights };
  kernels().attentionBackward(layout, arrays, g.data as Floats, { q: dq!, k: dk!, v: dv! });
  return found;
}

/** Floating-point operations of attention in a layout: both products, and five for each weight of the softmax. */
export function attentionFlops({ batch, heads, queries, keys, features, width }: AttentionLayout): number {
  return batch * heads * queries * keys * (2 * features + 2 * width + 5);
}
