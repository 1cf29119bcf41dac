import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mean, populationStd, sampleStd } from "../../src/stats/index.js";
import { momentReport, pivotedReport } from "./report-data.js";
import { differences, unusable } from "./samples.js";

const relative = (found: number, expected: number): number => Math.abs(found / expected - 1);

describe("mean and standard deviation", () => {
  it.each([
    ["moment", momentReport],
    ["pivoted", pivotedReport],
  ])("recompute the %s report to 1e-12", (_, { baseline, idea, diffs, printed }) => {
    expect(relative(mean(baseline), printed.baseline.full.mean)).toBeLessThan(1e-12);
    expect(relative(populationStd(baseline), printed.baseline.full.std)).toBeLessThan(1e-12);
    expect(relative(mean(idea), printed.idea.mean)).toBeLessThan(1e-12);
    expect(relative(populationStd(idea), printed.idea.std)).toBeLessThan(1e-12);
    expect(relative(mean(diffs), printed.comparison.delta_mean)).toBeLessThan(1e-12);
  });

  it("do not recompute the pivoted report from its corrupt value", () => {
    const { printed } = pivotedReport;
    const asPrinted = populationStd(printed.baseline.full.per_seed);
    expect(relative(asPrinted, printed.baseline.full.std)).toBeGreaterThan(1e-10);
  });

  it("differ by the divisor", () => {
    expect(populationStd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2, 14);
    expect(sampleStd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 14);
  });

  it("give exactly the value and 0 for equal values", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e300, max: 1e300 }),
        fc.integer({ min: 2, max: 50 }),
        (x, n) => {
          const values = new Array<number>(n).fill(x);
          expect(mean(values)).toBe(x + 0);
          expect(sampleStd(values)).toBe(0);
        },
      ),
    );
  });

  it("move with a shift and scale with a factor", () => {
    fc.assert(
      fc.property(differences(2, 12), fc.integer({ min: -50, max: 50 }), (values, shift) => {
        expect(mean(values.map((x) => x + shift))).toBeCloseTo(mean(values) + shift, 11);
        expect(sampleStd(values.map((x) => 4 * x))).toBe(4 * sampleStd(values));
      }),
    );
  });

  it("keep their range: squares that would overflow or vanish", () => {
    expect(sampleStd([1e200, -1e200])).toBeCloseTo(1e200 * Math.SQRT2, -186);
    expect(sampleStd([1e-200, -1e-200]) / 1e-200).toBeCloseTo(Math.SQRT2, 14);
  });

  it("refuse what they are not defined for", () => {
    for (const values of unusable) {
      for (const statistic of [mean, populationStd, sampleStd])
        expect(() => statistic(values)).toThrow("E_VALUE");
    }
    expect(populationStd([3])).toBe(0);
    expect(() => sampleStd([3])).toThrow("at least 2 values");
    expect(() => mean([1e308, 1e308])).toThrow("E_VALUE");
  });
});
