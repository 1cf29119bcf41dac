import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mean, tInterval, tost } from "../../src/stats/index.js";
import { momentReport, pivotedReport } from "./report-data.js";
import { differences, unusable } from "./samples.js";
import { runs } from "../runs.js";

describe("tost", () => {
  it("gives the published p for a worked example", () => {
    const b = [6, 8, 7, 10, 11, 9];
    const diffs = [4, 7, 8, 6, 3, 2].map((a, i) => a - b[i]);
    expect(tost(diffs, 1).p).toBeCloseTo(0.9293826, 7);
    expect(tost(diffs, 2).p).toBeCloseTo(0.8286101, 7);
  });

  it("gives the reports' p at 15 % of the baseline", () => {
    const p = ({ diffs, baseline }: typeof momentReport): number => tost(diffs, 0.15 * mean(baseline)).p;
    expect(p(momentReport)).toBeCloseTo(0.4354, 4);
    expect(p(pivotedReport)).toBeCloseTo(0.0279, 4);
  });

  it("falls below alpha exactly when the 1 − 2·alpha interval lies inside the margin", () => {
    const alpha = fc.double({ min: 0.001, max: 0.4, noNaN: true });
    const margin = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(differences(2, 12), margin, alpha, (diffs, within, level) => {
        const { p } = tost(diffs, within);
        fc.pre(Math.abs(p - level) > 1e-9);
        const [low, high] = tInterval(diffs, 2 * level);
        expect(-within < low && high < within).toBe(p < level);
      }),
      { numRuns: runs(200) },
    );
  });

  it("falls as the margin grows and does not depend on the sign", () => {
    fc.assert(
      fc.property(differences(2, 12), (diffs) => {
        expect(tost(diffs, 2).p).toBeLessThanOrEqual(tost(diffs, 1).p);
        const turned = tost(
          diffs.map((x) => -x),
          1,
        );
        expect(turned.p).toBe(tost(diffs, 1).p);
        expect(turned.lower.t).toBe(-tost(diffs, 1).upper.t);
      }),
    );
  });

  it("documents equal differences: 0 inside the margin, 1 on or outside it", () => {
    expect([0.5, 1, 2].map((margin) => tost([1, 1, 1], margin).p)).toEqual([1, 1, 0]);
    expect(tost([0, 0], 1e-9).p).toBe(0);
  });

  it("refuses what is no sample or margin", () => {
    for (const diffs of [...unusable, [1]]) expect(() => tost(diffs, 1)).toThrow("E_VALUE");
    for (const margin of [0, -1, NaN, Infinity]) expect(() => tost([1, 2], margin)).toThrow("margin");
  });
});
