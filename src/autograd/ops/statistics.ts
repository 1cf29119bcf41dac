import { checkedOptions, checkNumbers } from "../../errors/index.js";
import { normalizeAxes, sizeOf } from "../../tensor/index.js";
import { floated, type TensorLike } from "../operands.js";
import type { Tensor } from "../tensor.js";
import type { Axes, ReduceOptions } from "./reduction.js";

/** The arithmetic mean along the axes; of nothing NaN. */
export function mean(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  checkedOptions("mean", options);
  const input = floated(x);
  const count = sizeOf(normalizeAxes("mean", axis, input.rank).map((i) => input.shape[i]!));
  return input.sum(axis, options).div(count);
}

/** Options of {@link variance} and {@link std}. */
export interface VarianceOptions extends ReduceOptions {
  /** Divides by n − correction. Default 1, the unbiased variance; 0 is the population's. */
  readonly correction?: number;
}

/**
 * Σ(x − mean)²/(n − correction) along the axes; NaN where n ≤ correction. Taken relative to the first entry, so that a
 * large mean loses nothing and a constant list gives exactly 0; a second pass takes off what rounding left of the mean, as the
 * kernels of layer normalisation do.
 */
export function variance(x: TensorLike, axis?: Axes, options: VarianceOptions = {}): Tensor {
  checkedOptions("variance", options);
  const input = floated(x);
  const axes = normalizeAxes("variance", axis, input.rank);
  const { correction = 1 } = options;
  checkNumbers("variance", { correction });
  const count = sizeOf(axes.map((i) => input.shape[i]!)) - correction;
  const origin = input.stopGradient().slice(input.shape.map((_, i) => (axes.includes(i) ? [0, 1] : null)));
  let centred = input.sub(origin);
  for (let pass = 0; pass < 2; pass++) centred = centred.sub(mean(centred, axes, { keepDims: true }));
  return centred
    .square()
    .sum(axes, options)
    .div(count > 0 ? count : NaN);
}

/** √variance along the axes; the gradient of a constant list is 0. */
export function std(x: TensorLike, axis?: Axes, options: VarianceOptions = {}): Tensor {
  checkedOptions("std", options);
  const v = variance(x, axis, options);
  const positive = v.notEqual(0);
  return v.where(positive, 1).sqrt().where(positive, 0);
}
