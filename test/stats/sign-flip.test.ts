import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fewestPairs,
  signFlipExact,
  signFlipMonteCarlo,
  signFlipTest,
  smallestSignFlipP,
} from "../../src/stats/index.js";
import { countExtremePatterns } from "./brute-force.js";
import { maize, momentReport, pivotedReport, sleep } from "./report-data.js";
import { differences, unusable } from "./samples.js";

describe("signFlipExact", () => {
  it.each([
    ["the moment report", momentReport.diffs, 104, 256],
    ["the pivoted report", pivotedReport.diffs, 216, 256],
    ["Darwin's maize", maize, 1726, 32768],
    ["sleep, whose ties rounding would break", sleep, 4, 1024],
  ])("counts %s", (_, diffs, extreme, total) => {
    expect(signFlipExact(diffs)).toEqual({ p: extreme / total, extreme, total, method: "exact" });
  });

  it("counts one side: Darwin's maize", () => {
    expect(signFlipExact(maize, { alternative: "greater" }).extreme).toBe(863);
    expect(
      signFlipExact(
        maize.map((x) => -x),
        { alternative: "less" },
      ).extreme,
    ).toBe(863);
  });

  it("counts what the definition counts", () => {
    fc.assert(
      fc.property(differences(1, 11), (diffs) => {
        expect(signFlipExact(diffs).extreme).toBe(countExtremePatterns(diffs));
      }),
    );
  });

  it("counts tied tenths as whole numbers would be counted", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 12 }), (tenths) => {
        const tied = signFlipExact(tenths.map((x) => x / 10));
        expect(tied.extreme).toBe(signFlipExact(tenths).extreme);
      }),
    );
  });

  it("does not depend on sign, order or scale", () => {
    const scale = fc.constantFrom(1e-150, 1e-3, 0.1, 3, 1e150);
    fc.assert(
      fc.property(differences(1, 12), scale, (diffs, factor) => {
        const { p } = signFlipExact(diffs);
        expect(signFlipExact(diffs.map((x) => -x)).p).toBe(p);
        expect(signFlipExact(diffs.toReversed()).p).toBe(p);
        expect(signFlipExact(diffs.map((x) => x * factor)).p).toBe(p);
      }),
    );
  });

  it("keeps zeros in without changing p, and all zeros give 1", () => {
    fc.assert(
      fc.property(differences(1, 9), (diffs) => {
        expect(signFlipExact([...diffs, 0]).p).toBe(signFlipExact(diffs).p);
      }),
    );
    expect(signFlipExact(new Array<number>(6).fill(0)).p).toBe(1);
  });

  it("reaches 2/2ⁿ and no less when all differences have one sign", () => {
    for (const n of [1, 2, 5, 6, 11, 20]) {
      const diffs = Array.from({ length: n }, (_, i) => 1 + i / 7);
      expect(signFlipExact(diffs).p).toBe(smallestSignFlipP(n));
      expect(signFlipExact(new Array<number>(n).fill(0.1)).p).toBe(smallestSignFlipP(n));
    }
    expect([smallestSignFlipP(5), smallestSignFlipP(6), smallestSignFlipP(0)]).toEqual([
      0.0625,
      0.03125,
      NaN,
    ]);
  });

  it("needs the fewest pairs whose smallest p is below alpha: equal is not below", () => {
    expect([0.5, 0.0625, 0.05, 0.03125, 0.01].map(fewestPairs)).toEqual([3, 6, 6, 7, 8]);
  });

  it("has one-sided counts that overlap in the ties", () => {
    fc.assert(
      fc.property(differences(1, 10), (diffs) => {
        const greater = signFlipExact(diffs, { alternative: "greater" });
        const less = signFlipExact(diffs, { alternative: "less" });
        expect(greater.extreme + less.extreme).toBeGreaterThan(greater.total);
        expect(greater.p).toBe(
          signFlipExact(
            diffs.map((x) => -x),
            { alternative: "less" },
          ).p,
        );
      }),
    );
  });

  it("refuses what it cannot enumerate", () => {
    for (const diffs of unusable) expect(() => signFlipExact(diffs)).toThrow("E_VALUE");
    expect(() => signFlipExact(new Array<number>(21).fill(1))).toThrow("Use signFlipMonteCarlo");
    expect(() => signFlipExact([1e308, 1e308])).toThrow("scale them down");
    expect(() => signFlipExact([1], { alternative: "both" as "less" })).toThrow("E_VALUE");
  });
});

describe("signFlipMonteCarlo", () => {
  it("comes near the exact p", () => {
    for (const diffs of [momentReport.diffs, pivotedReport.diffs, maize]) {
      const { p } = signFlipMonteCarlo(diffs);
      const exact = signFlipExact(diffs).p;
      expect(Math.abs(p - exact)).toBeLessThan(4 * Math.sqrt((exact * (1 - exact)) / 99_999));
    }
    const { p } = signFlipMonteCarlo(maize, { alternative: "greater" });
    expect(Math.abs(p - 863 / 32768)).toBeLessThan(0.002);
  });

  it("counts the data as one more pattern", () => {
    const diffs = Array.from({ length: 60 }, () => 1);
    expect(signFlipMonteCarlo(diffs, { draws: 99 })).toEqual({
      p: 0.01,
      extreme: 0,
      total: 99,
      method: "monte-carlo",
    });
    expect(signFlipMonteCarlo(new Array<number>(25).fill(0), { draws: 9 }).p).toBe(1);
  });

  it("repeats from its seed and does not depend on sign or scale", () => {
    fc.assert(
      fc.property(differences(1, 70), fc.nat(), (diffs, seed) => {
        const { p } = signFlipMonteCarlo(diffs, { draws: 99, seed });
        expect(signFlipMonteCarlo(diffs, { draws: 99, seed }).p).toBe(p);
        for (const factor of [-1, 1024]) {
          const scaled = diffs.map((x) => x * factor);
          expect(signFlipMonteCarlo(scaled, { draws: 99, seed }).p).toBe(p);
        }
      }),
    );
    const diffs = Array.from({ length: 30 }, (_, i) => (i % 5) - 1.7);
    const bySeed = [1, 2].map((seed) => signFlipMonteCarlo(diffs, { draws: 999, seed }).extreme);
    expect(bySeed[0]).not.toBe(bySeed[1]);
  });

  it("refuses what it cannot draw", () => {
    for (const diffs of unusable) expect(() => signFlipMonteCarlo(diffs)).toThrow("E_VALUE");
    for (const draws of [0, 1.5, -1, NaN])
      expect(() => signFlipMonteCarlo([1], { draws })).toThrow("E_VALUE");
  });
});

describe("signFlipTest", () => {
  it("is exact up to 20 pairs and drawn above", () => {
    const diffs = Array.from({ length: 21 }, (_, i) => (i % 4) - 1.3);
    expect(signFlipTest(diffs.slice(1))).toEqual(signFlipExact(diffs.slice(1)));
    expect(signFlipTest(diffs, { seed: 3 })).toEqual(signFlipMonteCarlo(diffs, { seed: 3 }));
    expect(signFlipTest(maize, { alternative: "greater" }).extreme).toBe(863);
  });
});
