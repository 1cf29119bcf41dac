import { eye, matmul, softmax, tensor, type Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import type { Control } from "../../idea.js";
import { completeSettings } from "../settings.js";

/** Iterations for the pseudo-inverse, as in the paper. */
const iterations = 6;

/**
 * Nyström attention by segment means: with the landmarks Q̃ and K̃, the means of `landmarks` segments of the queries and of
 * the keys (as even as they come),
 *
 *   out = softmax(Q K̃ᵀ/√d) · softmax(Q̃ K̃ᵀ/√d)⁺ · softmax(Q̃ Kᵀ/√d) · V,
 *
 * in O(n·landmarks) time and memory. q `[…, queries, d]`, k `[…, keys, d]`, v `[…, keys, channels]`. Differentiable to any order.
 *
 * Source: Xiong et al., "Nyströmformer", arXiv 2102.03902, without its depthwise convolution beside attention.
 *
 * @throws E_VALUE for more landmarks than queries or keys
 */
export function segmentMeansAttention(q: Tensor, k: Tensor, v: Tensor, landmarks: number): Tensor {
  const scale = 1 / Math.sqrt(q.shape.at(-1)!);
  const middleQueries = segmentMeans(q, landmarks).mul(scale);
  const middleKeys = segmentMeans(k, landmarks);
  const weights = (from: Tensor, to: Tensor): Tensor => softmax(matmul(from, to.transpose()), -1);
  const left = weights(q.mul(scale), middleKeys);
  const core = pseudoInverse(weights(middleQueries, middleKeys));
  const right = matmul(weights(middleQueries, k), v);
  return matmul(matmul(left, core), right);
}

/** The means of `count` segments of the tokens, x `[…, n, d]` → `[…, count, d]`; token j is in segment ⌊j·count/n⌋. */
export function segmentMeans(x: Tensor, count: number): Tensor {
  const n = x.shape.at(-2)!;
  if (count > n) fail("E_VALUE", `segmentMeansAttention: ${n} tokens cannot make ${count} segments`);
  const weights = new Float64Array(count * n);
  for (let segment = 0; segment < count; segment++) {
    const from = Math.ceil((segment * n) / count);
    const to = Math.ceil(((segment + 1) * n) / count);
    for (let j = from; j < to; j++) weights[segment * n + j] = 1 / (to - from);
  }
  return matmul(tensor(weights, { shape: [count, n], dtype: x.dtype }), x);
}

/**
 * The pseudo-inverse of matrices `[…, m, m]` with rows that sum to 1, by Z ← Z(13 − AZ(15 − AZ(7 − AZ)))/4 from
 * Z = Aᵀ/(‖A‖₁‖A‖_∞), in six iterations: equation 11 of the paper; for A whose smallest singular values are tiny it is still a
 * regularised one then.
 */
export function pseudoInverse(a: Tensor): Tensor {
  const m = a.shape.at(-1)!;
  const identity = (factor: number): Tensor => eye(m, m, { dtype: a.dtype }).mul(factor);
  const columns = a.abs().sum(-2, { keepDims: true }).max(-1, { keepDims: true });
  const rows = a.abs().sum(-1, { keepDims: true }).max(-2, { keepDims: true });
  let z = a.transpose().div(columns.mul(rows));
  for (let iteration = 0; iteration < iterations; iteration++) {
    const az = matmul(a, z);
    const inner = identity(15).sub(matmul(az, identity(7).sub(az)));
    z = matmul(z, identity(13).sub(matmul(az, inner))).mul(0.25);
  }
  return z;
}

/** As many landmarks as the idea has pivots, chosen by position alone. */
export const segmentMeansControl: Control = {
  name: "nystrom",
  title: "Nyström attention by segment means",
  statement: "softmax(Q K̃ᵀ/√d) softmax(Q̃ K̃ᵀ/√d)⁺ softmax(Q̃ Kᵀ/√d) V with r segment means (arXiv 2102.03902)",
  why: "landmarks by position alone do as well as pivots that follow the residual",
  change(options) {
    const { rank } = completeSettings(options);
    return {
      attention(q, k, v, { causal }) {
        if (causal) {
          fail(
            "E_IDEA",
            "nystrom: segment means are taken over all tokens and would show a causal model the future",
          );
        }
        return segmentMeansAttention(q, k, v, rank);
      },
    };
  },
};
