import { tensor, type Tensor } from "../../../../src/autograd/index.js";
import {
  residualPivotedAttention,
  type Attention,
  type AttentionOptions,
} from "../../../../src/ideas/residual-pivoted/index.js";
import { attention } from "../../../../src/nn/index.js";
import { generator } from "../../../../src/random/index.js";

export type DType = "float32" | "float64";

export function normals(seed: string, shape: readonly number[], std = 1, dtype: DType = "float64"): Tensor {
  const size = shape.reduce((product, each) => product * each, 1);
  return tensor(generator(seed).normals(size, 0, std), { shape: [...shape], dtype });
}

/** q, k and v `[…, tokens, width]` and `[…, tokens, channels]`. */
export function tokens(
  seed: string,
  shape: readonly number[],
  { spread = 1, channels = 3, dtype = "float64" as DType } = {},
): [q: Tensor, k: Tensor, v: Tensor] {
  return [
    normals(`${seed}q`, shape, spread, dtype),
    normals(`${seed}k`, shape, spread, dtype),
    normals(`${seed}v`, [...shape.slice(0, -1), channels], 1, dtype),
  ];
}

/** The causal form, its pivots drawn from a stream of their own. */
export function attend([q, k, v]: readonly Tensor[], options: AttentionOptions = {}): Attention {
  return residualPivotedAttention(q!, k!, v!, { rng: generator("pivots"), causal: true, ...options });
}

/** Exact causal attention of `[heads, tokens, …]`. */
export function exact([q, k, v]: readonly Tensor[]): Tensor {
  return attention(q!.unsqueeze(0), k!.unsqueeze(0), v!.unsqueeze(0), { causal: true }).squeeze(0);
}

export function largest(values: ArrayLike<number>): number {
  return Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The largest difference, relative to the largest value and at least 1; NaN where either is. */
export function distance(found: Tensor, wanted: Tensor): number {
  const scale = Math.max(1, largest(wanted.values()));
  return largest(found.cast("float64").sub(wanted.cast("float64")).values()) / scale;
}
