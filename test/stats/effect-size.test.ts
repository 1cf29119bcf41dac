import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dz,
  hedgesCorrection,
  hedgesGz,
  hodgesLehmann,
  pairCorrelation,
  sampleStd,
} from "../../src/stats/index.js";
import { momentReport, pivotedReport } from "./report-data.js";
import { differences, unusable } from "./samples.js";

describe("dz and Hedges' gz", () => {
  it("give the figures of the reports", () => {
    expect(dz(momentReport.diffs)).toBeCloseTo(0.3011818, 7);
    expect(hedgesGz(momentReport.diffs)).toBeCloseTo(0.2675105, 7);
    expect(dz(pivotedReport.diffs)).toBeCloseTo(-0.0657438, 7);
    expect(hedgesGz(pivotedReport.diffs)).toBeCloseTo(-0.0583938, 7);
  });

  it("correct as published: J(7) = 0.8882029, J(2) = 1/√π, near 1 − 3/(4·df − 1)", () => {
    expect(hedgesCorrection(7)).toBeCloseTo(0.8882029, 7);
    expect(hedgesCorrection(2)).toBeCloseTo(0.5641895835477563, 13);
    expect(hedgesCorrection(500)).toBeCloseTo(1 - 3 / 1999, 6);
    expect(() => hedgesCorrection(1)).toThrow("E_VALUE");
  });

  it("document equal differences and two pairs", () => {
    expect([dz([0, 0]), dz([0.1, 0.1, 0.1]), dz([-2, -2])]).toEqual([0, Infinity, -Infinity]);
    expect(hedgesGz([1, 2])).toBeNaN();
    for (const diffs of [...unusable, [1]]) {
      expect(() => dz(diffs)).toThrow("E_VALUE");
      expect(() => hedgesGz(diffs)).toThrow("E_VALUE");
    }
  });
});

describe("pairCorrelation", () => {
  it("gives the figures of the reports", () => {
    expect(pairCorrelation(momentReport.baseline, momentReport.idea)).toBeCloseTo(0.45, 2);
    expect(pairCorrelation(pivotedReport.baseline, pivotedReport.idea)).toBeCloseTo(-0.58, 2);
  });

  it("says by how much pairing shrinks the variance", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), {
          minLength: 3,
        }),
        (pairs) => {
          const a = pairs.map(([x]) => x);
          const b = pairs.map(([, y]) => y);
          fc.pre(sampleStd(a) > 0 && sampleStd(b) > 0);
          const r = pairCorrelation(a, b);
          const expected = sampleStd(a) ** 2 + sampleStd(b) ** 2 - 2 * r * sampleStd(a) * sampleStd(b);
          expect(sampleStd(a.map((x, i) => b[i] - x)) ** 2).toBeCloseTo(expected, 8);
          expect(Math.abs(r)).toBeLessThanOrEqual(1);
          expect(pairCorrelation(a, a)).toBeCloseTo(1, 12);
          expect(pairCorrelation(b, a)).toBe(r);
        },
      ),
    );
  });

  it("is NaN without variance and refuses arms that do not pair", () => {
    expect(pairCorrelation([1, 1], [1, 2])).toBeNaN();
    expect(() => pairCorrelation([1, 2], [1, 2, 3])).toThrow("2 and 3 values");
    expect(() => pairCorrelation([1], [1])).toThrow("E_VALUE");
    expect(() => pairCorrelation([1, 2], [1, NaN])).toThrow("E_VALUE");
  });
});

describe("hodgesLehmann", () => {
  it("gives the figures of the reports", () => {
    expect(hodgesLehmann(momentReport.diffs)).toBeCloseTo(0.00077557, 8);
    expect(hodgesLehmann(pivotedReport.diffs)).toBeCloseTo(-0.0221009, 7);
  });

  it("is the centre of symmetric data, moves with them, and shrugs at one outlier", () => {
    fc.assert(
      fc.property(differences(1, 12), (diffs) => {
        const mirrored = [...diffs, ...diffs.map((x) => -x)];
        expect(hodgesLehmann(mirrored)).toBeCloseTo(0, 12);
        expect(hodgesLehmann(diffs.map((x) => 1 - x))).toBeCloseTo(1 - hodgesLehmann(diffs), 11);
      }),
    );
    expect(hodgesLehmann([1, 2, 3, 4, 1e9])).toBeLessThan(5);
    expect(hodgesLehmann([7])).toBe(7);
    for (const diffs of unusable) expect(() => hodgesLehmann(diffs)).toThrow("E_VALUE");
  });
});
