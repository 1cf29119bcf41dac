import { checkTensor } from "../check-input.js";
import { tensor, type Tensor } from "../../autograd/index.js";
import { checkedOptions, checkNumbers, fail } from "../../errors/index.js";
import { formatShape, isFloating } from "../../tensor/index.js";
import { checkWithin } from "../check-options.js";
import { isUnfused } from "../unfused.js";
import { pickedCosts, type Classes } from "./cross-entropy-operation.js";
import { reduced, type LossOptions } from "./reduction.js";

/** Options of {@link crossEntropy}. */
export interface CrossEntropyOptions extends LossOptions {
  /** Rows with this target count for nothing: loss 0, gradient 0, and left out of the mean. Default −100. */
  readonly ignoreIndex?: number;
  /** The part of the target that is spread evenly over all classes, from 0 to 1. Default 0. */
  readonly labelSmoothing?: number;
}

/**
 * −ln softmax(logits)[target] for each row: logits `[n, classes]`, int32 targets `[n]`. With smoothing s a row costs
 * (1 − s)·(−ln p[target]) + s·mean over all classes of −ln p. The mean is over the rows not ignored (NaN when all are).
 *
 * @throws E_SHAPE unless the shapes are `[n, classes]` and `[n]`
 * @throws E_DTYPE unless the targets are int32
 * @throws E_INDEX for a target that is neither a class nor `ignoreIndex`
 */
export function crossEntropy(logits: Tensor, targets: Tensor, options: CrossEntropyOptions = {}): Tensor {
  checkedOptions("crossEntropy", options);
  checkTensor("crossEntropy", "the logits", logits);
  checkTensor("crossEntropy", "the targets", targets);
  const { ignoreIndex = -100, labelSmoothing = 0 } = options;
  checkNumbers("crossEntropy", { ignoreIndex });
  checkWithin("crossEntropy", "labelSmoothing", labelSmoothing, 0, 1);
  const classes = readTargets(logits, targets, ignoreIndex);
  const { counted } = classes;
  if (labelSmoothing === 0 && isFloating(logits.dtype) && logits.size > 0 && !isUnfused())
    return reduced("crossEntropy", pickedCosts(logits, classes), options, counted);

  const picked = tensor(classes.picked, { shape: [targets.size, 1] });
  const counts = tensor(classes.counts);
  const whole = counted === targets.size;
  const logs = (whole ? logits : logits.where(counts.unsqueeze(1), 0)).logSoftmax(-1);
  const wanted = logs.takeAlongAxis(picked, 1).squeeze(1).neg();
  const costs =
    labelSmoothing === 0 ? wanted : wanted.mul(1 - labelSmoothing).sub(logs.mean(-1).mul(labelSmoothing));
  return reduced("crossEntropy", whole ? costs : costs.where(counts, 0), options, counted);
}

/** The class to pick in each row (0 for ignored ones), which rows count, and how many. */
function readTargets(
  logits: Tensor,
  targets: Tensor,
  ignoreIndex: number,
): Classes & { readonly counted: number } {
  const [n, classes] = logits.shape;
  if (logits.rank !== 2 || targets.rank !== 1 || targets.size !== n) {
    fail(
      "E_SHAPE",
      `crossEntropy: expected logits [n, classes] and targets [n], got ${formatShape(logits.shape)} and ` +
        `${formatShape(targets.shape)}; reshape both so that each row is one decision`,
    );
  }
  const labels = targets.values();
  if (!(labels instanceof Int32Array)) {
    fail(
      "E_DTYPE",
      `crossEntropy: expected class indices as int32, got ${targets.dtype}; cast(targets, "int32")`,
    );
  }
  const counts = Uint8Array.from(labels, (label) => (label === ignoreIndex ? 0 : 1));
  const picked = labels.map((label, row) => {
    if (counts[row] === 0) return 0;
    if (label >= 0 && label < classes!) return label;
    return fail(
      "E_INDEX",
      `crossEntropy: target ${label} in row ${row} is no class, expected 0 to ${classes! - 1} or ignoreIndex ${ignoreIndex}`,
    );
  });
  return { picked, counts, counted: counts.reduce((total, one) => total + one, 0) };
}
