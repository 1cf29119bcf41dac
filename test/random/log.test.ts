import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { log } from "../../src/random/log.js";
import { runs } from "../runs.js";

/** The distance between a float64 and the next one away from zero. */
function ulp(x: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0) - Math.abs(x);
}

describe("log", () => {
  it("stays within two units of the engine's own, itself within one of the truth", () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(Math.abs(log(x) - Math.log(x))).toBeLessThanOrEqual(2 * ulp(Math.log(x)));
      }),
      { numRuns: runs(3000) },
    );
  });

  it("stays within two units near 1, where cancellation would show", () => {
    for (let i = -2000; i <= 2000; i++) {
      const x = 1 + (i / 2000) * 0.45;
      expect(Math.abs(log(x) - Math.log(x))).toBeLessThanOrEqual(2 * ulp(Math.log(x)));
    }
    expect(log(1 + 2 ** -52)).toBe(2 ** -52 - 2 ** -105);
    expect(log(1)).toBe(0);
  });

  it.each([
    [2, 0.6931471805599453],
    [10, 2.302585092994046],
    [0.5, -0.6931471805599453],
    [5e-324, -744.4400719213812],
    [Number.MAX_VALUE, 709.782712893384],
  ])("gives the float64 nearest to ln %d", (x, expected) => {
    expect(log(x)).toBe(expected);
  });

  it("is −∞ at 0, ∞ at ∞ and NaN below 0", () => {
    expect([log(0), log(-0), log(Infinity), log(-1), log(NaN)]).toEqual([
      -Infinity,
      -Infinity,
      Infinity,
      NaN,
      NaN,
    ]);
  });
});
