import { fail } from "../../errors/index.js";
import { checkWithin } from "../check-options.js";

/** The learning rate of a step; steps are counted from 0. Assign it before each step: `optimizer.lr = schedule(step)`. */
export type Schedule = (step: number) => number;

function checkSteps(schedule: string, what: string, steps: number): void {
  if (!Number.isInteger(steps) || steps < 1) {
    fail("E_VALUE", `${schedule}: expected ${what} to be a whole number of at least 1, got ${String(steps)}`);
  }
}

/** lr·(step + 1)/steps during the first `steps` steps, lr afterwards. */
export function warmup(lr: number, options: { readonly steps: number }): Schedule {
  checkWithin("warmup", "lr", lr, 0, Infinity);
  checkSteps("warmup", "steps", options.steps);
  return (step) => lr * Math.min(1, (step + 1) / options.steps);
}

/**
 * From lr at step 0 down half a cosine to `floor` (default 0) at step `steps` and after:
 * floor + (lr − floor)·(1 + cos(π·step/steps))/2.
 *
 * Source: Loshchilov and Hutter, "SGDR", arXiv 1608.03983, eq. 5, without restarts.
 */
export function cosine(lr: number, options: { readonly steps: number; readonly floor?: number }): Schedule {
  const { steps, floor = 0 } = options;
  checkWithin("cosine", "lr", lr, 0, Infinity);
  checkWithin("cosine", "floor", floor, 0, lr);
  checkSteps("cosine", "steps", steps);
  return (step) => floor + ((lr - floor) * (1 + Math.cos(Math.PI * Math.min(1, step / steps)))) / 2;
}

/** {@link warmup} for `warmup` steps, then {@link cosine} over the rest of `steps`. */
export function warmupCosine(
  lr: number,
  options: { readonly warmup: number; readonly steps: number; readonly floor?: number },
): Schedule {
  if (!(options.warmup < options.steps)) {
    fail("E_VALUE", `warmupCosine: expected warmup below steps, got ${options.warmup} and ${options.steps}`);
  }
  const rise = warmup(lr, { steps: options.warmup });
  const fall = cosine(lr, { ...options, steps: options.steps - options.warmup });
  return (step) => (step < options.warmup ? rise(step) : fall(step - options.warmup));
}
