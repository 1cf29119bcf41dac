import fc from "fast-check";
import { expect, test } from "vitest";
import { decay } from "../../../../src/bench/tracks/field/exponential.js";
import { runs } from "../../../runs.js";

test("decay is e⁻ˣ to 1e-15, beside an exponential of another make", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 707.9, noNaN: true }), (x) => {
      expect(Math.abs(decay(x) / Math.exp(-x) - 1)).toBeLessThan(1e-15);
    }),
    { numRuns: runs(300) },
  );
});

test("decay at its ends", () => {
  expect([decay(0), decay(708), decay(Infinity), decay(NaN)]).toEqual([1, 0, 0, NaN]);
  expect(decay(Math.LN2)).toBeCloseTo(0.5, 15);
});

test("decay of a sum is the product", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 40, noNaN: true }),
      (x, y) => {
        const whole = x + y;
        // Sums that are exact: what the larger one leaves of it is the smaller one.
        fc.pre(whole - Math.max(x, y) === Math.min(x, y));
        expect(Math.abs((decay(x) * decay(y)) / decay(whole) - 1)).toBeLessThan(3e-15);
      },
    ),
    { numRuns: runs(100) },
  );
});
