import { checkedOptions, checkNumbers, fail } from "../../errors/index.js";
import { checkSize, checkWithin } from "../check-options.js";
import { sineSquare } from "./sine-square.js";

/** The learning rate of a step; steps are counted from 0. Assign it before each step: `optimizer.lr = schedule(step)`. */
export type Schedule = (step: number) => number;

/** lr·(step + 1)/steps during the first `steps` steps, lr afterwards. */
export function warmup(lr: number, options: { readonly steps: number }): Schedule {
  checkedOptions("warmup", options);
  checkWithin("warmup", "lr", lr, 0, Infinity);
  checkSize("warmup", "steps", options.steps);
  return (step) => {
    checkNumbers("warmup", { step });
    return lr * Math.min(1, (step + 1) / options.steps);
  };
}

/**
 * From lr at step 0 down half a cosine to `floor` (default 0) at step `steps` and after, both exactly:
 * floor + (lr − floor)·(1 + cos(π·step/steps))/2. The same bits on every machine.
 *
 * Source: Loshchilov and Hutter, "SGDR", arXiv 1608.03983, eq. 5, without restarts.
 */
export function cosine(lr: number, options: { readonly steps: number; readonly floor?: number }): Schedule {
  checkedOptions("cosine", options);
  const { steps, floor = 0 } = options;
  checkWithin("cosine", "lr", lr, 0, Infinity);
  checkWithin("cosine", "floor", floor, 0, lr);
  checkSize("cosine", "steps", steps);
  return (step) => {
    checkNumbers("cosine", { step });
    const done = Math.min(1, step / steps);
    return done <= 0.5 ? lr - (lr - floor) * sineSquare(done) : floor + (lr - floor) * sineSquare(1 - done);
  };
}

/** {@link warmup} for `warmup` steps, then {@link cosine} over the rest of `steps`. */
export function warmupCosine(
  lr: number,
  options: { readonly warmup: number; readonly steps: number; readonly floor?: number },
): Schedule {
  checkedOptions("warmupCosine", options);
  const { warmup: rising, steps, floor = 0 } = options;
  checkWithin("warmupCosine", "lr", lr, 0, Infinity);
  checkWithin("warmupCosine", "floor", floor, 0, lr);
  checkSize("warmupCosine", "warmup", rising);
  checkSize("warmupCosine", "steps", steps);
  if (!(rising < steps)) {
    fail("E_VALUE", `warmupCosine: expected warmup below steps, got ${rising} and ${steps}`);
  }
  const rise = warmup(lr, { steps: rising });
  const fall = cosine(lr, { steps: steps - rising, floor });
  return (step) => {
    checkNumbers("warmupCosine", { step });
    return step < rising ? rise(step) : fall(step - rising);
  };
}
