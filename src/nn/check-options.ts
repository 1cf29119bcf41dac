import { fail, formatGiven } from "../errors/index.js";
import { Generator } from "../random/index.js";

/** Options that every layer with initial values takes. */
export interface InitOptions {
  /** The stream that initial values are drawn from, in the order in which the parameters are listed. */
  readonly rng: Generator;
  /** Default `float32`; `float64` is for verification. The same stream gives the same numbers, rounded or not. */
  readonly dtype?: "float32" | "float64";
}

/** Throws `E_VALUE` unless a size is a whole number of at least 1. */
export function checkSize(owner: string, what: string, size: number): void {
  if (!Number.isInteger(size) || size < 1) {
    fail(
      "E_VALUE",
      `${owner}: expected ${what} to be a whole number of at least 1, got ${formatGiven(size)}`,
    );
  }
}

/** The stream of an options object; throws `E_VALUE` when there is none. */
export function checkedRng(layer: string, options: { readonly rng: Generator } | undefined): Generator {
  const rng: unknown = options?.rng;
  if (!(rng instanceof Generator)) {
    fail(
      "E_VALUE",
      `${layer}: expected an explicit stream of random numbers as option rng, got ${rng === undefined ? "none" : typeof rng}; ` +
        'pass { rng: generator(seed).stream("init") }',
    );
  }
  return rng;
}

/** Throws `E_VALUE` unless a number lies in [low, high]. */
export function checkWithin(owner: string, what: string, value: number, low: number, high: number): void {
  if (!(typeof value === "number" && value >= low && value <= high)) {
    const range = high === Infinity ? `at least ${low}` : `from ${low} to ${high}`;
    fail("E_VALUE", `${owner}: expected ${what} to be ${range}, got ${formatGiven(value)}`);
  }
}
