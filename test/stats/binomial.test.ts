import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binomialRange } from "../../src/stats/index.js";
import { runs } from "../runs.js";

/** P(X = k) for k = 0 … n. */
function binomial(n: number, p: number): number[] {
  let row = [1];
  for (let trial = 0; trial < n; trial++)
    row = Array.from({ length: row.length + 1 }, (_, k) => (row[k] ?? 0) * (1 - p) + (row[k - 1] ?? 0) * p);
  return row;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe("binomialRange", () => {
  it("accepts 3 to 18 of 200 at 12/256 with 99 %", () => {
    expect(binomialRange(200, 12 / 256)).toEqual([3, 18]);
  });

  it("leaves at most half of the rest outside at each end, and no less could", () => {
    const probability = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    const coverage = fc.constantFrom(0.5, 0.9, 0.99, 0.999);
    const property = fc.property(fc.integer({ min: 1, max: 60 }), probability, coverage, (n, p, wanted) => {
      const [low, high] = binomialRange(n, p, wanted);
      const [mass, tail] = [binomial(n, p), (1 - wanted) / 2];
      fc.pre([low, low + 1].every((end) => Math.abs(sum(mass.slice(0, end)) - tail) > 1e-12));
      fc.pre([high, high + 1].every((end) => Math.abs(sum(mass.slice(end)) - tail) > 1e-12));
      expect(sum(mass.slice(0, low))).toBeLessThan(tail);
      expect(sum(mass.slice(0, low + 1))).toBeGreaterThan(tail);
      expect(sum(mass.slice(high + 1))).toBeLessThan(tail);
      expect(sum(mass.slice(high))).toBeGreaterThan(tail);
    });
    fc.assert(property, { numRuns: runs(100) });
  });

  it("turns with success and failure, and refuses what is no trial", () => {
    const [low, high] = binomialRange(30, 0.2, 0.9);
    expect(binomialRange(30, 0.8, 0.9)).toEqual([30 - high, 30 - low]);
    for (const n of [0, 1.5, NaN]) expect(() => binomialRange(n, 0.5)).toThrow("E_VALUE");
    for (const p of [0, 1, NaN]) expect(() => binomialRange(9, p)).toThrow("E_VALUE");
    expect(() => binomialRange(9, 0.5, 1)).toThrow("coverage");
  });
});
