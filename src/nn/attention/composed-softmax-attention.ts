import { where, type Tensor } from "../../autograd/index.js";
import { visibleScores, visibleSum } from "./visible-operations.js";

/** The weights softmax(q·kᵀ/√d) `[batch, heads, queries, keys]`; 0 where hidden, also in rows where all is hidden. */
function attentionWeights(q: Tensor, k: Tensor, hidden: Tensor | undefined): Tensor {
  const scores = visibleScores(q, k, hidden).mul(1 / Math.sqrt(q.shape[q.rank - 1]!));
  return (hidden ? where(hidden, -Infinity, scores) : scores).softmax(-1);
}

/** softmax(q·kᵀ/√d)·v in separate operations: the twin of the fused attention, with a change to the weights. */
export function composedSoftmaxAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  hidden: Tensor | undefined,
  weigh: (weights: Tensor) => Tensor = (weights) => weights,
): Tensor {
  return visibleSum(weigh(attentionWeights(q, k, hidden)), v, hidden);
}

/** The cotangents of q, k and v in separate operations, so that they can be differentiated again. */
export function composedSoftmaxAttentionCotangents(
  g: Tensor,
  q: Tensor,
  k: Tensor,
  v: Tensor,
  hidden: Tensor | undefined,
): [q: Tensor, k: Tensor, v: Tensor] {
  const weights = attentionWeights(q, k, hidden);
  const dWeights = visibleScores(g, v, hidden);
  const mean = weights.mul(dWeights).sum(-1, { keepDims: true });
  const dScores = weights.mul(dWeights.sub(mean)).mul(1 / Math.sqrt(q.shape[q.rank - 1]!));
  return [
    visibleSum(dScores, k, hidden),
    visibleSum(dScores, q, hidden, true),
    visibleSum(weights, g, hidden, true),
  ];
}
