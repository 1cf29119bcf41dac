import { matmul, where, type Tensor } from "../../autograd/index.js";

/** The weights softmax(q·kᵀ/√d) `[batch, heads, queries, keys]`; 0 where hidden, also in rows where all is hidden. */
export function attentionWeights(q: Tensor, k: Tensor, hidden: Tensor | undefined): Tensor {
  const scores = matmul(q, k, { transposeB: true }).mul(1 / Math.sqrt(q.shape[q.rank - 1]!));
  return (hidden ? where(hidden, -Infinity, scores) : scores).softmax(-1);
}

/** softmax(q·kᵀ/√d)·v in elementary operations: the twin of the fused attention for finite values. */
export function composedAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  hidden: Tensor | undefined,
  weigh: (weights: Tensor) => Tensor = (weights) => weights,
): Tensor {
  return matmul(weigh(attentionWeights(q, k, hidden)), v);
}

/** The cotangents of q, k and v in elementary operations, so that they can be differentiated again. */
export function composedAttentionCotangents(
  g: Tensor,
  q: Tensor,
  k: Tensor,
  v: Tensor,
  hidden: Tensor | undefined,
): [q: Tensor, k: Tensor, v: Tensor] {
  const weights = attentionWeights(q, k, hidden);
  const dWeights = matmul(g, v, { transposeB: true });
  const mean = weights.mul(dWeights).sum(-1, { keepDims: true });
  const dScores = weights.mul(dWeights.sub(mean)).mul(1 / Math.sqrt(q.shape[q.rank - 1]!));
  return [
    matmul(dScores, k),
    matmul(dScores, q, { transposeA: true }),
    matmul(weights, g, { transposeA: true }),
  ];
}
