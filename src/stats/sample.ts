import { fail } from "../errors/index.js";

/** Numbers in a plain or a typed array. */
export type Sample = ArrayLike<number>;

/** Throws E_VALUE unless the sample has at least `least` values and all are finite. `what` names it in the message. */
export function checkSample(values: Sample, what: string, least = 1): void {
  if (values.length < least) {
    fail("E_VALUE", `${what} needs at least ${least} value${least === 1 ? "" : "s"}; found ${values.length}`);
  }
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      fail(
        "E_VALUE",
        `${what} needs finite values; value ${i} is ${values[i]}. Leave out diverged runs in pairs, and say so`,
      );
    }
  }
}

/** Throws E_VALUE unless 0 < value < 1. */
export function checkProbability(value: number, what: string): void {
  if (!(value > 0 && value < 1)) fail("E_VALUE", `${what} must lie between 0 and 1; found ${value}`);
}

/** Throws E_VALUE unless the value is a whole number ≥ `least`. */
export function checkWhole(value: number, what: string, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    fail("E_VALUE", `${what} must be a whole number ≥ ${least}; found ${value}`);
  }
}
