import { allocate, kernels, type Floats, type FloatDType } from "../../tensor/index.js";
import { stackedProduct } from "./stacked-product.js";
import { visibleProduct } from "./visible-product.js";

/** The sizes of one attention; `stacks` counts batch times heads. */
export interface AttentionSizes {
  readonly stacks: number;
  readonly queries: number;
  readonly keys: number;
  /** Of queries and keys. */
  readonly features: number;
  /** Of values. */
  readonly width: number;
  readonly dtype: FloatDType;
}

/** q `[stacks, queries, features]`, k `[stacks, keys, features]`, v `[stacks, keys, width]`. */
export interface AttentionArrays {
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
  /** `[stacks, queries, keys]`, 1 for hidden. */
  readonly hidden: Uint8Array | undefined;
}

/** 1/√features in the precision of the type. */
function scaleOf({ features, dtype }: AttentionSizes): number {
  const scale = 1 / Math.sqrt(features);
  return dtype === "float32" ? Math.fround(scale) : scale;
}

/** out = softmax(q·kᵀ/√features)·v, and the weights; hidden keys take no part, whatever they hold. */
export function attentionForward(
  sizes: AttentionSizes,
  arrays: AttentionArrays,
): { out: Floats; weights: Floats } {
  const { stacks, queries, keys, features, width } = sizes;
  const { q, k, v, hidden } = arrays;
  const scores = stackedProduct([stacks, queries, features, keys], q, k, { transposeB: true });
  const scale = scaleOf(sizes);
  if (hidden)
    for (let i = 0; i < scores.length; i++) scores[i] = hidden[i] !== 0 ? -Infinity : scores[i]! * scale;
  else for (let i = 0; i < scores.length; i++) scores[i] = scores[i]! * scale;
  const weights = allocate(sizes.dtype, scores.length);
  if (scores.length > 0) kernels().softmax(keys, scores, weights);
  const out = visibleProduct([stacks, queries, keys, width], weights, v, hidden);
  return { out, weights };
}

/** The cotangents of q, k and v from that of out, `[stacks, queries, width]`. Where a key is hidden nothing flows. */
export function attentionBackward(
  sizes: AttentionSizes,
  arrays: AttentionArrays,
  weights: Floats,
  g: Floats,
): { q: Floats; k: Floats; v: Floats } {
  const { stacks, queries, keys, features, width } = sizes;
  const { q, k, v, hidden } = arrays;
  const dScores = stackedProduct([stacks, queries, width, keys], g, v, { transposeB: true });
  if (hidden) for (let i = 0; i < dScores.length; i++) if (hidden[i] !== 0) dScores[i] = 0;
  softmaxBackward(keys, scaleOf(sizes), weights, dScores);
  return {
    q: visibleProduct([stacks, queries, keys, features], dScores, k, hidden),
    k: stackedProduct([stacks, keys, queries, features], dScores, q, { transposeA: true }),
    v: stackedProduct([stacks, keys, queries, width], weights, g, { transposeA: true }),
  };
}

/** In place, each row: d ← scale·w·(d − Σ w·d). */
function softmaxBackward(length: number, scale: number, weights: Floats, d: Floats): void {
  for (let start = 0; start < d.length; start += length) {
    const end = start + length;
    let sum = 0;
    for (let i = start; i < end; i++) sum += weights[i]! * d[i]!;
    for (let i = start; i < end; i++) d[i] = scale * (weights[i]! * (d[i]! - sum));
  }
}
