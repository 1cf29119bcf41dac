import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logBeta, logGamma } from "../../src/stats/log-gamma.js";
import values from "./fixtures/reference-values.json" with { type: "json" };

describe("logGamma", () => {
  it("is the logarithm of the factorial", () => {
    let factorial = 1;
    for (let n = 1; n <= 20; n++) {
      expect(logGamma(n + 1)).toBeCloseTo(Math.log((factorial *= n)), 13);
    }
  });

  it.each(values.logGamma as [number, number][])("is right at %d", (x, expected) => {
    expect(Math.abs(logGamma(x) - expected)).toBeLessThan(1e-14 * Math.max(1, expected));
  });
});

describe("logBeta", () => {
  it("is symmetric and the combination of logGamma", () => {
    const positive = fc.double({ min: 0.05, max: 200, noNaN: true });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        expect(logBeta(a, b)).toBe(logBeta(b, a));
        expect(Math.abs(logBeta(a, b) - (logGamma(a) + logGamma(b) - logGamma(a + b)))).toBeLessThan(2e-12);
      }),
    );
  });

  it("does not lose digits for large arguments: B(a, 1) = 1/a, B(a, 2) = 1/(a(a+1))", () => {
    for (const a of [1e3, 1e6, 1e9]) {
      expect(Math.abs(logBeta(a, 1) + Math.log(a))).toBeLessThan(1e-14 * 40);
      expect(Math.abs(logBeta(a, 2) + Math.log(a) + Math.log1p(a))).toBeLessThan(1e-14 * 60);
    }
    expect(Math.abs(logBeta(1000, 11) - -60.93570399777192)).toBeLessThan(1e-12);
  });
});
