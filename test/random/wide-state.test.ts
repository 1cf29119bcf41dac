import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { multiplyAdd, wholeOf, wideOf } from "../../src/random/wide-state.js";
import { runs } from "../runs.js";

const mask = (1n << 128n) - 1n;
const whole = fc.bigInt({ min: 0n, max: mask });
/** All bits set: every partial product and every carry is as large as it can be. */
const edges = fc.constantFrom(0n, 1n, mask, mask >> 32n, mask << 96n);
const any = fc.oneof(whole, edges).map((value) => value & mask);

describe("numbers modulo 2^128", () => {
  it("come back from their words", () => {
    fc.assert(fc.property(any, (value) => wholeOf(wideOf(value)) === value));
  });

  it("are multiplied and added as whole numbers are", () => {
    fc.assert(
      fc.property(any, any, any, (state, multiplier, increment) => {
        const wide = wideOf(state);
        multiplyAdd(wide, wideOf(multiplier), wideOf(increment));
        expect(wholeOf(wide)).toBe((state * multiplier + increment) & mask);
      }),
      { numRuns: runs(300) },
    );
  });
});
