import { fail, formatGiven } from "../errors/index.js";

/** Numbers in a plain or a typed array. */
export type Sample = ArrayLike<number>;

/** Throws E_VALUE unless it is a list or typed array, which alone may be asked for its length. */
export function checkList(values: Sample, what: string): void {
  if (!Array.isArray(values) && !(ArrayBuffer.isView(values) && !(values instanceof DataView))) {
    fail("E_VALUE", `${what} needs a list of numbers; found ${formatGiven(values)}`);
  }
}

/** Throws E_VALUE unless the sample has at least `least` values and all are finite. `what` names it in the message. */
export function checkSample(values: Sample, what: string, least = 1): void {
  checkList(values, what);
  if (values.length < least) {
    fail("E_VALUE", `${what} needs at least ${least} value${least === 1 ? "" : "s"}; found ${values.length}`);
  }
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      fail(
        "E_VALUE",
        `${what} needs finite values; value ${i} is ${formatGiven(values[i])}. Leave out diverged runs in pairs, and say so`,
      );
    }
  }
}

/** Throws E_VALUE unless 0 < value < 1. */
export function checkProbability(value: number, what: string): void {
  if (!(typeof value === "number" && value > 0 && value < 1))
    fail("E_VALUE", `${what} must lie between 0 and 1; found ${formatGiven(value)}`);
}

/** Throws E_VALUE unless the value is a whole number from `least` to `most`. */
export function checkWhole(value: number, what: string, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `from ${least} to ${most}`;
    fail("E_VALUE", `${what} must be a whole number ${range}; found ${formatGiven(value)}`);
  }
}

/** The most draws of a Monte Carlo test or interval. */
export const MOST_DRAWS = 100_000_000;
