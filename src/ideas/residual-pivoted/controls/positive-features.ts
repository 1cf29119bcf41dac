import { matmul, maximum, stopGradient, tensor, type Tensor } from "../../../autograd/index.js";
import type { Generator } from "../../../random/index.js";
import { orthonormalRows } from "../../orthonormal-rows.js";
import type { Control } from "../../idea.js";
import { completeSettings } from "../settings.js";

/**
 * Attention by positive random features: with w_f ~ N(0, I) and x = q/d^¼, y = k/d^¼,
 *
 *   e^{x·y} = E[e^{w·x − |x|²/2} e^{w·y − |y|²/2}],   out = φ(Q) (φ(K)ᵀ [V, 1]) normalised,
 *
 * in O(n·features) time and memory. `directions` are the w_f, `[features, d]`. The key features of each direction are taken
 * relative to the largest one, which the query features make up for, and those relative to their largest: the result is
 * the same, and the normaliser is at least 1. q `[…, queries, d]`, k `[…, keys, d]`, v `[…, keys, channels]`. Differentiable to any order.
 *
 * Source: Choromanski et al., "Rethinking Attention with Performers", arXiv 2009.14794, lemma 1.
 */
export function positiveFeaturesAttention(q: Tensor, k: Tensor, v: Tensor, directions: Float64Array): Tensor {
  const d = q.shape.at(-1)!;
  const scale = 1 / Math.sqrt(Math.sqrt(d));
  const w = tensor(directions, { shape: [directions.length / d, d], dtype: q.dtype }).transpose();
  const y = k.mul(scale);
  const keyScores = matmul(y, w).sub(y.square().sum(-1, { keepDims: true }).mul(0.5));
  const largestKey = stopGradient(keyScores.max(-2, { keepDims: true }));
  const queryScores = matmul(q.mul(scale), w).add(largestKey);
  const largestQuery = stopGradient(queryScores.max(-1, { keepDims: true }));
  const keyFeatures = keyScores.sub(largestKey).exp();
  const queryFeatures = queryScores.sub(largestQuery).exp();
  const numerator = matmul(queryFeatures, matmul(keyFeatures.transpose(), v));
  return numerator.div(matmul(queryFeatures, keyFeatures.sum(-2, { keepDims: true }).transpose()));
}

/** The least normaliser of {@link positiveFeaturesSoFar}: below it, where all features have underflowed, the output is 0. */
const leastNormaliser = 2 ** -100;

/**
 * The causal form: out_i = φ(q_i) Σ_{j ≤ i} φ(k_j) [v_j, 1] normalised, in O(n·features·channels) time and memory. Key features are
 * taken relative to the most that any key could give, e^{|w|²/2}, since the largest one of all keys would be a trace of the future.
 * Operands as above; differentiable to any order.
 */
export function positiveFeaturesSoFar(q: Tensor, k: Tensor, v: Tensor, directions: Float64Array): Tensor {
  const d = q.shape.at(-1)!;
  const scale = 1 / Math.sqrt(Math.sqrt(d));
  const w = tensor(directions, { shape: [directions.length / d, d], dtype: q.dtype });
  const most = w.square().sum(-1).mul(0.5);
  const y = k.mul(scale);
  const keyScores = matmul(y, w.transpose()).sub(y.square().sum(-1, { keepDims: true }).mul(0.5));
  const keyFeatures = keyScores.sub(most).exp();
  const queryScores = matmul(q.mul(scale), w.transpose()).add(most);
  const queryFeatures = queryScores.sub(stopGradient(queryScores.max(-1, { keepDims: true }))).exp();
  const sums = keyFeatures.unsqueeze(-1).mul(v.unsqueeze(-2)).cumsum(-3);
  const numerator = queryFeatures.unsqueeze(-1).mul(sums).sum(-2);
  const normaliser = queryFeatures.mul(keyFeatures.cumsum(-2)).sum(-1, { keepDims: true });
  return numerator.div(maximum(normaliser, leastNormaliser));
}

/**
 * Directions `[features, d]`, each N(0, I) by itself; up to d of them at a time are orthogonal, which lowers the variance.
 *
 * Source: the same paper, section 2.4.
 */
export function orthogonalDirections(rng: Generator, features: number, d: number): Float64Array {
  const directions = new Float64Array(features * d);
  for (let from = 0; from < features; from += d) {
    const count = Math.min(d, features - from);
    const block = rng.normals(count * d);
    orthonormalRows(block, count, d);
    for (let row = 0; row < count; row++) {
      const length = Math.hypot(...rng.normals(d));
      for (let i = 0; i < d; i++) directions[(from + row) * d + i] = length * block[row * d + i]!;
    }
  }
  return directions;
}

/** As many features as the idea has pivots, drawn once for each layer of each model and then the same in every call. */
export const positiveFeaturesControl: Control = {
  name: "random-features",
  title: "positive orthogonal random features (Performer)",
  statement: "φ_f(x) = e^{w_f·x − |x|²/2}, r orthogonal directions w_f (arXiv 2009.14794)",
  why: "features that do not look at the data do as well as pivots that do",
  change(options, rng) {
    const { rank } = completeSettings(options);
    const drawn = new Map<number, Float64Array>();
    return {
      attention(q, k, v, { layer, causal }) {
        let directions = drawn.get(layer);
        if (!directions) {
          directions = orthogonalDirections(rng.stream(`layer ${layer}`), rank, q.shape.at(-1)!);
          drawn.set(layer, directions);
        }
        return causal
          ? positiveFeaturesSoFar(q, k, v, directions)
          : positiveFeaturesAttention(q, k, v, directions);
      },
    };
  },
};
