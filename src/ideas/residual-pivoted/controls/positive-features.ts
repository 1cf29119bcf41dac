import { matmul, stopGradient, tensor, type Tensor } from "../../../autograd/index.js";
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
      attention(q, k, v, { layer }) {
        let directions = drawn.get(layer);
        if (!directions) {
          directions = orthogonalDirections(rng.stream(`layer ${layer}`), rank, q.shape.at(-1)!);
          drawn.set(layer, directions);
        }
        return positiveFeaturesAttention(q, k, v, directions);
      },
    };
  },
};
