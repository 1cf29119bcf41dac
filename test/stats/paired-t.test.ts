import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  halfWidthMde,
  mean,
  pairedT,
  standardError,
  studentTQuantile,
  tInterval,
} from "../../src/stats/index.js";
import { maize, momentReport, pivotedReport, sleep } from "./report-data.js";
import { differences, unusable } from "./samples.js";

describe("pairedT", () => {
  it("gives the published figures of Darwin's maize and of sleep", () => {
    const crossed = pairedT(maize);
    expect(crossed.df).toBe(14);
    expect(crossed.t).toBeCloseTo(2.14799, 5);
    expect(crossed.p).toBeCloseTo(0.0497029, 7);
    const slept = pairedT(sleep);
    expect(slept.df).toBe(9);
    expect(slept.t).toBeCloseTo(-4.062128, 6);
    expect(slept.p).toBeCloseTo(0.00283289, 8);
  });

  it("does not depend on order or scale, and turns with the sign", () => {
    fc.assert(
      fc.property(differences(2, 15), (diffs) => {
        const { t, p } = pairedT(diffs);
        const scaled = pairedT(diffs.map((x) => -8 * x));
        expect(scaled.t).toBeCloseTo(-t, 12);
        expect(scaled.p).toBe(p);
        fc.pre(p > 1e-10 && p < 1);
        expect(pairedT(diffs.toReversed()).p / p).toBeCloseTo(1, 6);
      }),
    );
  });

  it("documents equal differences: no doubt either way", () => {
    expect(pairedT([0, 0, 0])).toEqual({ t: 0, df: 2, p: 1 });
    expect(pairedT(new Array<number>(10).fill(0.1))).toEqual({ t: Infinity, df: 9, p: 0 });
    expect(pairedT([-3, -3])).toEqual({ t: -Infinity, df: 1, p: 0 });
    expect(pairedT([1, -1])).toEqual({ t: 0, df: 1, p: 1 });
  });

  it("refuses fewer than two differences and what is not finite", () => {
    for (const diffs of [...unusable, [1]]) {
      for (const statistic of [pairedT, tInterval, halfWidthMde, standardError]) {
        expect(() => statistic(diffs)).toThrow("E_VALUE");
      }
    }
  });
});

describe("tInterval", () => {
  it("holds the hypothesis exactly when p > alpha", () => {
    fc.assert(
      fc.property(differences(2, 15), fc.double({ min: 0.001, max: 0.9, noNaN: true }), (diffs, alpha) => {
        const { p } = pairedT(diffs);
        fc.pre(Math.abs(p - alpha) > 1e-9);
        const [low, high] = tInterval(diffs, alpha);
        expect(low <= 0 && high >= 0).toBe(p > alpha);
      }),
    );
  });

  it("contains the mean and narrows as alpha grows", () => {
    fc.assert(
      fc.property(differences(2, 15), (diffs) => {
        const [low, high] = tInterval(diffs);
        expect(low).toBeLessThanOrEqual(mean(diffs));
        expect(high).toBeGreaterThanOrEqual(mean(diffs));
        const [innerLow, innerHigh] = tInterval(diffs, 0.2);
        expect(innerHigh - innerLow).toBeLessThanOrEqual(high - low);
      }),
    );
  });

  it("reaches as many standard errors as a printed table of t with n − 1 degrees of freedom has", () => {
    for (const [n, quantile] of [
      [2, 12.706],
      [4, 3.182],
      [8, 2.365],
      [31, 2.042],
    ]) {
      const diffs = Array.from({ length: n }, (_, i) => i % 3);
      const [low, high] = tInterval(diffs);
      expect(Math.abs((high - low) / (2 * standardError(diffs)) - quantile)).toBeLessThan(0.0005);
      expect(Math.abs((high + low) / 2 - mean(diffs))).toBeLessThan(1e-12);
    }
  });

  it("is the value itself for equal differences", () => {
    expect(tInterval([0.1, 0.1, 0.1])).toEqual([0.1, 0.1]);
  });

  it("refuses an alpha that is no level", () => {
    for (const alpha of [0, 1, -0.1, NaN]) expect(() => tInterval([1, 2], alpha)).toThrow("alpha");
  });
});

describe("halfWidthMde", () => {
  it.each([
    ["moment", momentReport],
    ["pivoted", pivotedReport],
  ])("recomputes the %s report to 1e-12", (_, { diffs, baseline, printed }) => {
    const mde = halfWidthMde(diffs);
    expect(Math.abs(mde / printed.comparison.mde - 1)).toBeLessThan(1e-12);
    const percent = (100 * mde) / mean(baseline);
    expect(Math.abs(percent / printed.comparison.mde_rel_pct - 1)).toBeLessThan(1e-12);
  });

  it("rounds the quantile of any n to three decimals", () => {
    for (const [n, quantile] of [
      [2, 12.706],
      [4, 3.182],
      [8, 2.365],
      [16, 2.131],
      [31, 2.042],
    ]) {
      const diffs = Array.from({ length: n }, (_, i) => i % 3);
      expect(halfWidthMde(diffs)).toBe(quantile * standardError(diffs));
      expect(studentTQuantile(0.975, n - 1)).not.toBe(quantile);
    }
  });
});
