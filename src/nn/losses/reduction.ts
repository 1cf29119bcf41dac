import { checkTensor } from "../check-input.js";
import type { Tensor } from "../../autograd/index.js";
import { fail, formatGiven } from "../../errors/index.js";
import { formatShape, sameShape } from "../../tensor/index.js";

/** What becomes of the losses of all entries: their mean (the default), their sum, or each of them. */
export type Reduction = "mean" | "sum" | "none";

/** Options of the losses. */
export interface LossOptions {
  readonly reduction?: Reduction;
}

/** Throws `E_VALUE` for a word that is no reduction. */
function checkedReduction(loss: string, { reduction = "mean" }: LossOptions): Reduction {
  if (!["mean", "sum", "none"].includes(reduction)) {
    fail("E_VALUE", `${loss}: expected the reduction mean, sum or none, got ${formatGiven(reduction)}`);
  }
  return reduction;
}

/** The entries reduced as the options say; the mean is over `counted` of them where the others, 0, count for nothing. */
export function reduced(loss: string, entries: Tensor, options: LossOptions, counted?: number): Tensor {
  const reduction = checkedReduction(loss, options);
  if (reduction === "none") return entries;
  if (reduction === "sum") return entries.sum();
  return counted === undefined ? entries.mean() : entries.sum().div(counted);
}

/** Throws `E_SHAPE` unless prediction and target have one shape: broadcasting one of them is nearly always a mistake. */
export function checkSameShape(loss: string, prediction: Tensor, target: Tensor): void {
  checkTensor(loss, "the prediction", prediction);
  checkTensor(loss, "the target", target);
  if (!sameShape(prediction.shape, target.shape)) {
    fail(
      "E_SHAPE",
      `${loss}: expected prediction and target of one shape, got ${formatShape(prediction.shape)} and ` +
        `${formatShape(target.shape)}; reshape or expand one of them`,
    );
  }
}
