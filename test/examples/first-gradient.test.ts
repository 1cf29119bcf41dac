import fc from "fast-check";
import { expect, test } from "vitest";
import { slope, slopeByDifference, slopeByHand } from "../../examples/first-gradient.js";

test("by hand, by a difference and by the library, the slope is the same", () => {
  fc.assert(
    fc.property(fc.double({ min: -10, max: 10, noNaN: true }), (x) => {
      expect(slope(x)).toBeCloseTo(slopeByHand(x), 10);
      expect(slopeByDifference(x, 1e-4)).toBeCloseTo(slopeByHand(x), 5);
    }),
  );
});

test("the smallest step of a difference is not the best one", () => {
  const error = (h: number): number => Math.abs(slopeByDifference(2, h) - slopeByHand(2));
  expect(error(1e-5)).toBeLessThan(error(1e-1));
  expect(error(1e-5)).toBeLessThan(error(1e-13));
});
