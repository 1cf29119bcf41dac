import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generator } from "../../src/random/index.js";
import { mean, signFlipExact, signFlipInterval } from "../../src/stats/index.js";
import { momentReport, pivotedReport, sleep } from "./report-data.js";
import { differences, unusable } from "./samples.js";

describe("signFlipInterval", () => {
  it.each([
    ["the moment report", momentReport.diffs, -0.00133485, 0.00313162, 8],
    ["the pivoted report", pivotedReport.diffs, -0.16546263, 0.14921721, 8],
    ["sleep", sleep, -2.466667, -0.833333, 6],
  ])("gives the interval of %s", (_, diffs, low, high, digits) => {
    const interval = signFlipInterval(diffs)!;
    expect(interval[0]).toBeCloseTo(low, digits);
    expect(interval[1]).toBeCloseTo(high, digits);
  });

  it("contains the mean, and moves and scales with the data", () => {
    fc.assert(
      fc.property(differences(6, 11), (diffs) => {
        const [low, high] = signFlipInterval(diffs)!;
        const slack = 1e-12 * diffs.reduce((sum, x) => sum + Math.abs(x), 0);
        expect(low).toBeLessThanOrEqual(mean(diffs) + slack);
        expect(high).toBeGreaterThanOrEqual(mean(diffs) - slack);
        const moved = signFlipInterval(diffs.map((x) => 3 - 2 * x))!;
        expect(moved[0]).toBeCloseTo(3 - 2 * high, 9);
        expect(moved[1]).toBeCloseTo(3 - 2 * low, 9);
      }),
    );
  });

  it("is the set of shifts that the exact test does not reject", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 6, max: 9 }), (seed, n) => {
        const diffs = generator(seed).normals(n, 0.4);
        const [low, high] = signFlipInterval(diffs)!;
        const p = (shift: number): number => signFlipExact(diffs.map((x) => x - shift)).p;
        const step = 1e-7 * (high - low);
        expect(p(low + step)).toBeGreaterThan(0.05);
        expect(p(high - step)).toBeGreaterThan(0.05);
        expect(p(low - step)).toBeLessThanOrEqual(0.05);
        expect(p(high + step)).toBeLessThanOrEqual(0.05);
      }),
    );
  });

  it("does not exist for five pairs or fewer at 0.05", () => {
    for (const n of [1, 2, 5]) {
      const diffs = Array.from({ length: n }, (_, i) => i);
      expect(signFlipInterval(diffs)).toBeUndefined();
    }
    expect(signFlipInterval([1, 2, 3, 4, 5], 2 / 32)).toEqual([1, 5]);
    expect(signFlipInterval([1, 2, 3, 4, 5, 6])).toEqual([1, 6]);
  });

  it("is the value itself for equal differences", () => {
    expect(signFlipInterval(new Array<number>(7).fill(0.1))).toEqual([0.1, 0.1]);
    expect(signFlipInterval(new Array<number>(30).fill(0.1), 0.05, { draws: 999 })).toEqual([0.1, 0.1]);
  });

  it("draws subsets above 20 pairs, repeats, and comes near what all would give", () => {
    const diffs = generator("interval").normals(21, 0.3);
    const drawn = signFlipInterval(diffs)!;
    expect(signFlipInterval(diffs)).toEqual(drawn);
    expect(signFlipInterval(diffs, 0.05, { seed: 1 })).not.toEqual(drawn);
    const near = signFlipInterval(diffs.subarray(0, 20))!;
    expect(Math.abs(drawn[0] - near[0])).toBeLessThan(0.25);
    expect(Math.abs(drawn[1] - near[1])).toBeLessThan(0.25);
    expect(drawn[0] < mean(diffs) && mean(diffs) < drawn[1]).toBe(true);
    expect(signFlipInterval(diffs, 0.05, { draws: 38 })).toBeUndefined();
  });

  it("refuses what is no sample or level", () => {
    for (const diffs of unusable) expect(() => signFlipInterval(diffs)).toThrow("E_VALUE");
    for (const alpha of [0, 1, NaN]) expect(() => signFlipInterval([1, 2], alpha)).toThrow("alpha");
    expect(() => signFlipInterval([1], 0.05, { draws: 0 })).toThrow("E_VALUE");
  });
});
