import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permutationP } from "../../src/stats/index.js";

describe("permutationP", () => {
  it("gives Phipson and Smyth's value for 5 of 99 draws out of 462 patterns", () => {
    expect(permutationP(5, 99, 462)).toBeCloseTo(0.05891775, 8);
  });

  it("lies between b/m's neighbourhood and (b+1)/(m+1), which it approaches", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.nat(300),
        fc.integer({ min: 2, max: 400 }),
        (draws, b, total) => {
          const extreme = b % draws;
          const p = permutationP(extreme, draws, total);
          const bound = (extreme + 1) / (draws + 1);
          expect(p).toBeLessThanOrEqual(bound + 1e-13);
          expect(p).toBeGreaterThan(bound - 1 / total);
        },
      ),
    );
    expect(permutationP(5, 99, 2 ** 40)).toBeCloseTo(0.06, 11);
  });

  it("goes over from the sum to the integral without a step", () => {
    for (const [extreme, draws] of [
      [0, 999],
      [5, 99],
      [40, 20_000],
      [0, 1_000_000],
    ]) {
      const summed = permutationP(extreme, draws, 10_000);
      const integrated = permutationP(extreme, draws, 10_001);
      expect(Math.abs(summed - integrated)).toBeLessThan(0.002 * summed + 1e-8);
    }
  });

  it("is 1 when every pattern was extreme, and refuses impossible counts", () => {
    expect([permutationP(9, 9, 100), permutationP(9, 9, 1e6)]).toEqual([1, 1]);
    expect(() => permutationP(10, 9, 100)).toThrow("10 of 9");
    for (const [b, m, total] of [
      [-1, 9, 9],
      [0.5, 9, 9],
      [0, 0, 9],
      [0, 9, 0],
    ]) {
      expect(() => permutationP(b, m, total)).toThrow("E_VALUE");
    }
  });
});
