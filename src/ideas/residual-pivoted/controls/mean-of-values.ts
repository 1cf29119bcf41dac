import { tensor, type Tensor } from "../../../autograd/index.js";
import type { Control } from "../../idea.js";

/** The mean of the values for every query: q `[…, queries, d]`, v `[…, keys, channels]` → `[…, queries, channels]`. */
export function meanOfValuesAttention(q: Tensor, v: Tensor): Tensor {
  return v.mean(-2, { keepDims: true }).expand([...q.shape.slice(0, -1), v.shape.at(-1)!]);
}

/** The mean of the values up to each query: v `[…, n, channels]` → the same shape. */
export function meanOfValuesSoFar(v: Tensor): Tensor {
  const counts = Float64Array.from({ length: v.shape.at(-2)! }, (_, i) => 1 / (i + 1));
  return v.cumsum(-2).mul(tensor(counts, { shape: [counts.length, 1], dtype: v.dtype }));
}

/** Attention to nothing in particular: what is left when a factor carries no signal. */
export const meanOfValuesControl: Control = {
  name: "mean-of-v",
  title: "the mean of the values",
  statement: "out_i = (1/n) Σ_j v_j for every query, over the tokens so far in a causal model",
  why: "the pivots carry no attention at all: the model does without looking anywhere in particular",
  change: () => ({
    attention: (q, _k, v, { causal }) => (causal ? meanOfValuesSoFar(v) : meanOfValuesAttention(q, v)),
  }),
};
