import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signFlipExact, signFlipReport } from "../../src/stats/index.js";
import { maize, momentReport, pivotedReport, sleep } from "./report-data.js";
import { differences, unusable } from "./samples.js";
import { runs } from "../runs.js";

describe("signFlipReport", () => {
  it.each([
    ["moment", momentReport, 8116],
    ["pivoted", pivotedReport, 16811],
  ])("recomputes the %s report's p to the last digit", (_, { diffs, printed }, extreme) => {
    expect(signFlipReport(diffs)).toEqual({ p: printed.comparison.p_value, extreme, total: 20_000 });
    expect(signFlipReport(printed.comparison.per_seed_diffs).extreme).toBe(extreme);
  });

  /** Counts by NumPy 2.4 for dᵢ = ((37·i mod 11) − 4.5)/10: one n for each way in which a row is added up. */
  it.each([
    [7, 17530],
    [8, 19231],
    [9, 13673],
    [16, 18687],
    [17, 13967],
    [128, 2217],
    [129, 2003],
    [300, 142],
  ])("counts what NumPy counts for %d differences", (n, extreme) => {
    const diffs = Array.from({ length: n }, (_, i) => (((i * 37) % 11) - 4.5) / 10);
    expect(signFlipReport(diffs).extreme).toBe(extreme);
  });

  it("breaks ties by the last bit, as NumPy does", () => {
    expect(signFlipReport(sleep).extreme).toBe(76);
    expect(signFlipReport(maize).extreme).toBe(1034);
    expect(signFlipReport([0.1, 0.2, 0.3]).extreme).toBe(4939);
    expect(signFlipReport([0.1, 0.2, -0.3, 0.4, 0.7]).extreme).toBe(5066);
  });

  it("comes near the exact p, which it estimates", () => {
    fc.assert(
      fc.property(
        differences(6, 9).map((diffs) => diffs.map((x, i) => x + Math.sqrt(i + 2) / 7)),
        (diffs) => {
          const exact = signFlipExact(diffs).p;
          const slack = 4.5 * Math.sqrt((exact * (1 - exact)) / 20_000) + 1e-12;
          expect(Math.abs(signFlipReport(diffs).p - exact)).toBeLessThan(slack);
        },
      ),
      { numRuns: runs(8) },
    );
  });

  it("is 1 for differences that are all 0, and refuses what is no sample", () => {
    expect(signFlipReport([0, 0, 0]).p).toBe(1);
    for (const diffs of unusable) expect(() => signFlipReport(diffs)).toThrow("E_VALUE");
  });
});
