import { checkedOptions } from "../../errors/index.js";
import { normalize, type Tensor } from "../../autograd/index.js";
import type { FloatDType } from "../../tensor/index.js";
import { checkLastAxis } from "../check-input.js";
import { checkSize, checkWithin } from "../check-options.js";
import { oneParameter, zeroParameter } from "../initial-values.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";
import { layerNorm } from "./layer-norm-operation.js";

/** Options of {@link LayerNorm}. */
export interface LayerNormOptions {
  /** Added to the variance. Default 1e-5. */
  readonly eps?: number;
  /** Learn a factor and a shift for each feature. Default true. */
  readonly affine?: boolean;
  readonly dtype?: FloatDType;
}

/**
 * (x − mean)/√(var + eps)·weight + bias over the last axis, population variance. Parameters: `weight` `[features]`, ones, and
 * `bias` `[features]`, zeros.
 *
 * Source: Ba, Kiros and Hinton, "Layer Normalization", arXiv 1607.06450.
 */
export class LayerNorm extends Module {
  readonly weight: Parameter | undefined;
  readonly bias: Parameter | undefined;
  readonly eps: number;

  constructor(
    readonly features: number,
    options: LayerNormOptions = {},
  ) {
    super();
    checkedOptions("LayerNorm", options);
    checkSize("LayerNorm", "features", features);
    this.eps = options.eps ?? 1e-5;
    checkWithin("LayerNorm", "eps", this.eps, 0, Infinity);
    if (options.affine ?? true) {
      this.weight = oneParameter([features], options);
      this.bias = zeroParameter([features], options);
    }
  }

  /** `[…, features]` → the same shape. Throws `E_SHAPE`. */
  forward(x: Tensor): Tensor {
    checkLastAxis("LayerNorm", x, this.features);
    const { weight, bias, eps } = this;
    return weight && bias ? layerNorm(x, weight, bias, eps) : normalize(x, { eps });
  }
}
