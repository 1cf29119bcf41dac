import { checkedOptions } from "../../errors/index.js";
import type { Tensor } from "../../autograd/index.js";
import { isFloating } from "../../tensor/index.js";
import { checkWithin } from "../check-options.js";
import { isUnfused } from "../unfused.js";
import { checkSameShape, reduced, type LossOptions } from "./reduction.js";
import { squaredError } from "./squared-error-operation.js";

/** Squared error (prediction − target)². Both of one shape, else `E_SHAPE`. */
export function mseLoss(prediction: Tensor, target: Tensor, options: LossOptions = {}): Tensor {
  checkedOptions("mseLoss", options);
  checkSameShape("mseLoss", prediction, target);
  const { dtype, size } = prediction;
  const { reduction = "mean" } = options;
  if (isFloating(dtype) && dtype === target.dtype && size > 0 && !isUnfused()) {
    if (reduction === "mean") return squaredError(prediction, target, size);
    if (reduction === "sum") return squaredError(prediction, target, 1);
  }
  return reduced("mseLoss", prediction.sub(target).square(), options);
}

/** Absolute error |prediction − target|; the derivative where they are equal is 0. Both of one shape, else `E_SHAPE`. */
export function l1Loss(prediction: Tensor, target: Tensor, options: LossOptions = {}): Tensor {
  checkedOptions("l1Loss", options);
  checkSameShape("l1Loss", prediction, target);
  return reduced("l1Loss", prediction.sub(target).abs(), options);
}

/** Options of {@link huberLoss}. */
export interface HuberOptions extends LossOptions {
  /** Where the square turns into a line, above 0. Default 1. */
  readonly delta?: number;
}

/**
 * With d = prediction − target: d²/2 where |d| ≤ delta, delta·(|d| − delta/2) beyond. Both of one shape, else `E_SHAPE`.
 *
 * Source: Huber, "Robust Estimation of a Location Parameter", Ann. Math. Statist. 35 (1964).
 */
export function huberLoss(prediction: Tensor, target: Tensor, options: HuberOptions = {}): Tensor {
  checkedOptions("huberLoss", options);
  const { delta = 1 } = options;
  checkWithin("huberLoss", "delta", delta, Number.MIN_VALUE, Infinity);
  checkSameShape("huberLoss", prediction, target);
  const difference = prediction.sub(target);
  const near = difference.clip(-delta, delta);
  return reduced("huberLoss", near.mul(difference.sub(near.mul(0.5))), options);
}
