// @ts-check
/**
 * A NaN hunted down: node examples/nan-hunt.js
 *
 * A loss that everybody has written once: −mean y·log p with p a softmax by hand. It works for small logits. For large ones exp
 * overflows, and some operations later everything is NaN; the place where it is seen is not the place where it was born.
 */
import { tensor } from "gradstand";
import { inspect, whyNaN } from "gradstand/inspect";

/** @import { Tensor } from "gradstand" */

/**
 * −mean Σ y·log(exp z / Σ exp z), as it stands in a textbook.
 *
 * @param {Tensor} logits `[batch, classes]`
 * @param {Tensor} targets one-hot, `[batch, classes]`
 */
export function naiveCrossEntropy(logits, targets) {
  const exponentials = logits.exp();
  const probabilities = exponentials.div(exponentials.sum(-1, { keepDims: true }));
  return targets.mul(probabilities.log()).sum(-1).mean().neg();
}

/**
 * The same with log softmax z = z − logsumexp z, which never leaves the range of the logits.
 *
 * @param {Tensor} logits
 * @param {Tensor} targets
 */
export const carefulCrossEntropy = (logits, targets) =>
  targets.mul(logits.logSoftmax(-1)).sum(-1).mean().neg();

export const targets = tensor([
  [1, 0, 0],
  [0, 1, 0],
]);
export const tame = tensor([
  [2, 1, 0],
  [0, 3, 1],
]);
export const wild = tensor([
  [2, 1, 0],
  [0, 100, 1],
]);

/**
 * Where the first number that is none was born, in words; undefined when there is none.
 *
 * @param {(logits: Tensor, targets: Tensor) => Tensor} loss
 * @param {Tensor} logits
 */
export function firstCause(loss, logits) {
  const record = inspect((z) => loss(z, targets), [logits], { names: ["logits"], sources: true });
  return whyNaN(record)?.sentence;
}

if (process.argv[1] === import.meta.filename) {
  console.log(`tame logits: ${naiveCrossEntropy(tame, targets).item().toFixed(4)}`);
  console.log(`wild logits: ${naiveCrossEntropy(wild, targets).item()}`);
  console.log(`why: ${firstCause(naiveCrossEntropy, wild)}`);
  console.log(`with log softmax: ${carefulCrossEntropy(wild, targets).item().toFixed(4)}`);
}
