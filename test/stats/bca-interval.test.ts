import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bcaInterval, mean } from "../../src/stats/index.js";
import { momentReport, pivotedReport } from "./report-data.js";
import { differences, unusable } from "./samples.js";

describe("bcaInterval", () => {
  it.each([
    ["moment", momentReport.diffs, -0.00117313, 0.00246136, 8],
    ["pivoted", pivotedReport.diffs, -0.1252416, 0.1045911, 7],
  ])("gives the interval of the %s report", (_, diffs, low, high, digits) => {
    const interval = bcaInterval(diffs);
    expect(interval.degenerate).toBe(false);
    expect(interval.low).toBeCloseTo(low, digits);
    expect(interval.high).toBeCloseTo(high, digits);
  });

  it("is the percentile interval of all resamples for symmetric data", () => {
    const means: number[] = [];
    const diffs = [-2, -1, 1, 2];
    for (const a of diffs)
      for (const b of diffs) for (const c of diffs) for (const d of diffs) means.push((a + b + c + d) / 4);
    means.sort((x, y) => x - y);
    for (const alpha of [0.05, 0.1, 0.3, 0.5]) {
      const { low, high } = bcaInterval(diffs, alpha);
      expect(low).toBeCloseTo(means[Math.ceil((alpha / 2) * 256) - 1], 12);
      expect(high).toBeCloseTo(means[Math.ceil((1 - alpha / 2) * 256) - 1], 12);
    }
  });

  it("stays inside the data, keeps its order, and moves and turns with them", () => {
    fc.assert(
      fc.property(differences(2, 8), (diffs) => {
        const { low, high } = bcaInterval(diffs);
        const slack = 1e-12 * diffs.reduce((sum, x) => sum + Math.abs(x), 0);
        expect(low).toBeGreaterThanOrEqual(Math.min(...diffs) - slack);
        expect(high).toBeLessThanOrEqual(Math.max(...diffs) + slack);
        expect(low).toBeLessThanOrEqual(high);
        const moved = bcaInterval(diffs.map((x) => 5 + 2 * x));
        expect(moved.low).toBeCloseTo(5 + 2 * low, 9);
        expect(moved.high).toBeCloseTo(5 + 2 * high, 9);
      }),
    );
  });

  it("says so when the data are degenerate", () => {
    expect(bcaInterval([0.1, 0.1, 0.1])).toEqual({ low: 0.1, high: 0.1, degenerate: true });
    expect(bcaInterval([4])).toEqual({ low: 4, high: 4, degenerate: true });
  });

  it("reaches the ends of the data for a tiny alpha", () => {
    const diffs = [0, 0, 0, 0, 0, 0, 0, 8];
    const { low, high } = bcaInterval(diffs, 2e-15);
    expect([low, high]).toEqual([0, 8]);
    expect(bcaInterval(diffs, 1e-200)).toEqual({ low: 0, high: 8, degenerate: false });
    expect(mean(diffs)).toBe(1);
  });

  it("refuses what it cannot enumerate", () => {
    for (const diffs of unusable) expect(() => bcaInterval(diffs)).toThrow("E_VALUE");
    expect(() => bcaInterval(new Array<number>(9).fill(1))).toThrow("up to 8 pairs");
    expect(() => bcaInterval([1, 2], 0)).toThrow("alpha");
  });
});
