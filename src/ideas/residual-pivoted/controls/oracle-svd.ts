import { isRecording, matmul, softmax, tensor, type Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import type { Generator } from "../../../random/index.js";
import { sizeOf } from "../../../tensor/index.js";
import type { Control } from "../../idea.js";
import { completeSettings } from "../settings.js";
import { leadingSubspace } from "../spectrum/leading-subspace.js";

/**
 * A_r V with A = softmax(Q Kᵀ/√d) and A_r its best approximation of rank r (Eckart and Young, 1936): what the best
 * factors of this rank would give, which no method can know without A itself. q `[…, queries, d]`, k `[…, keys, d]`,
 * v `[…, keys, channels]` → `[…, queries, channels]`.
 *
 * @throws E_IDEA where a gradient would be recorded: differentiating a singular value decomposition of every attention matrix takes
 *   hours of training
 */
export function oracleAttention(q: Tensor, k: Tensor, v: Tensor, rank: number, rng: Generator): Tensor {
  if (isRecording() && [q, k, v].some((x) => x.requiresGrad)) {
    fail("E_IDEA", "oracle-svd: this control is evaluated on trained models only; run it inside noGrad()");
  }
  const weights = softmax(matmul(q, k.transpose()).mul(1 / Math.sqrt(q.shape.at(-1)!)), -1);
  const [queries, keys] = [q.shape.at(-2)!, k.shape.at(-2)!];
  const leading = q.shape.slice(0, -2);
  const kept = Math.min(rank, queries, keys);
  const a = Float64Array.from(weights.values());
  const size = queries * keys;
  const vectors = new Float64Array(sizeOf(leading) * kept * keys);
  for (let p = 0; p < sizeOf(leading); p++) {
    const problem = a.subarray(p * size, (p + 1) * size);
    vectors.set(leadingSubspace(problem, queries, keys, kept, rng), p * kept * keys);
  }
  const right = tensor(vectors, { shape: [...leading, kept, keys], dtype: v.dtype });
  return matmul(matmul(weights, right.transpose()), matmul(right, v));
}

/** The idea's trained models with the best factors of the same rank in place of the pivots'. */
export const oracleControl: Control = {
  name: "oracle-svd",
  title: "the best approximation of the attention matrix",
  statement: "out = A_r V, A_r the truncated singular value decomposition of softmax(Q Kᵀ/√d)",
  why: "the pivots leave nothing to be gained at this rank: the idea's models do no better with the best factors",
  kind: "evaluated",
  change(options, rng) {
    const { rank } = completeSettings(options);
    return {
      attention(q, k, v, { causal }) {
        if (causal) {
          fail(
            "E_IDEA",
            "oracle-svd: the best factors of a whole attention matrix mix its rows and would show a causal model the future",
          );
        }
        return oracleAttention(q, k, v, rank, rng);
      },
    };
  },
};
