import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalQuantile, probabilityOfImprovement, wilsonInterval } from "../../src/stats/index.js";
import { momentReport, pivotedReport } from "./report-data.js";
import { differences, unusable } from "./samples.js";

describe("wilsonInterval", () => {
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("gives Newcombe's (1998, table I) interval for %d of %d", (successes, n, low, high) => {
    const interval = wilsonInterval(successes, n);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  });

  it("solves |p̂ − p| = z·√(p(1−p)/n) and is mirrored", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0, max: 1, noNaN: true }), (n, part) => {
        const successes = Math.round(part * n);
        const [low, high] = wilsonInterval(successes, n, 0.1);
        for (const p of [low, high]) {
          const distance = -normalQuantile(0.05) * Math.sqrt((p * (1 - p)) / n);
          expect(Math.abs(successes / n - p)).toBeCloseTo(distance, 10);
        }
        const mirrored = wilsonInterval(n - successes, n, 0.1);
        expect(mirrored[0]).toBeCloseTo(1 - high, 12);
      }),
    );
  });

  it("refuses impossible counts", () => {
    expect(() => wilsonInterval(3, 2)).toThrow("E_VALUE");
    expect(() => wilsonInterval(0, 0)).toThrow("E_VALUE");
    expect(() => wilsonInterval(-1, 4)).toThrow("E_VALUE");
    expect(() => wilsonInterval(1, 4, 1)).toThrow("alpha");
  });
});

describe("probabilityOfImprovement", () => {
  it("counts the reports' wins", () => {
    expect(probabilityOfImprovement(momentReport.diffs, "lower")).toMatchObject({
      wins: 3,
      ties: 0,
      probability: 0.375,
    });
    expect(probabilityOfImprovement(pivotedReport.diffs, "lower")).toMatchObject({
      wins: 4,
      probability: 0.5,
    });
  });

  it("counts ties half and turns with the direction", () => {
    expect(probabilityOfImprovement([-1, 0, 0, 5], "lower")).toEqual({
      probability: 0.5,
      wins: 1,
      ties: 2,
      interval: wilsonInterval(2, 4),
    });
    fc.assert(
      fc.property(differences(1, 20), (diffs) => {
        const lower = probabilityOfImprovement(diffs, "lower").probability;
        expect(probabilityOfImprovement(diffs, "higher").probability).toBeCloseTo(1 - lower, 12);
      }),
    );
    for (const diffs of unusable) expect(() => probabilityOfImprovement(diffs, "lower")).toThrow("E_VALUE");
  });
});
