import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf, studentTCdf, studentTQuantile, studentTTwoSided } from "../../src/stats/index.js";
import { runs } from "../runs.js";
import values from "./fixtures/reference-values.json" with { type: "json" };

describe("studentTCdf", () => {
  it.each(values.studentT as [number, number, number][])(
    "is right at t = %d with %d degrees of freedom",
    (t, df, expected) => {
      expect(Math.abs(studentTCdf(t, df) / expected - 1)).toBeLessThan(1e-12);
    },
  );

  it("has the closed forms of 1, 2 and 4 degrees of freedom", () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (t) => {
        const two = t / Math.sqrt(2 + t * t);
        const four = t / Math.sqrt(4 + t * t);
        expect(Math.abs(studentTCdf(t, 1) - (0.5 + Math.atan(t) / Math.PI))).toBeLessThan(1e-14);
        expect(Math.abs(studentTCdf(t, 2) - (0.5 + two / 2))).toBeLessThan(1e-14);
        expect(Math.abs(studentTCdf(t, 4) - (0.5 + (four * (3 - four * four)) / 4))).toBeLessThan(1e-14);
      }),
    );
  });

  it("meets the expansion for many degrees of freedom without a step", () => {
    for (const t of [0.1, 1, 2, 4, 8, 20]) {
      const below = Math.log(studentTTwoSided(t, 3000 - 1e-9));
      const above = Math.log(studentTTwoSided(t, 3000));
      expect(Math.abs(below - above)).toBeLessThan(1e-9);
    }
    expect(studentTCdf(-3, 1e15)).toBeCloseTo(normalCdf(-3), 14);
    expect(studentTCdf(-3, Infinity)).toBe(normalCdf(-3));
  });

  it("ends at 0 and 1, keeps NaN, refuses what are no degrees of freedom", () => {
    for (const df of [0.5, 7, 1e4]) {
      expect([studentTCdf(-Infinity, df), studentTCdf(0, df), studentTCdf(Infinity, df)]).toEqual([
        0, 0.5, 1,
      ]);
      expect(studentTCdf(NaN, df)).toBeNaN();
    }
    for (const df of [0, -1, NaN]) expect(() => studentTCdf(1, df)).toThrow("E_VALUE");
  });
});

describe("studentTQuantile", () => {
  it.each([
    [0.975, 1, 12.706204736174707],
    [0.975, 7, 2.3646242515927853],
    [0.975, 14, 2.144786687917804],
    [0.995, 9, 3.2498355415921263],
    [0.95, 3, 2.3533634348018238],
    [0.999, 5, 5.89342953135601],
    [0.975, 30, 2.042272456301238],
    [0.975, 100, 1.9839715185235522],
    [0.9995, 1, 636.6192487687197],
  ])("gives the tabled value at %d with %d degrees of freedom", (p, df, expected) => {
    expect(Math.abs(studentTQuantile(p, df) / expected - 1)).toBeLessThan(1e-12);
    expect(studentTQuantile(1 - p, df)).toBeCloseTo(-expected, 9);
  });

  it("misses the reports' rounded 2.365 by 1.6e-4 relative", () => {
    expect(2.365 / studentTQuantile(0.975, 7) - 1).toBeCloseTo(1.6e-4, 5);
  });

  it("inverts the distribution function", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -300, max: -1e-3, noNaN: true }).map((exponent) => 0.5 * 10 ** exponent),
        fc.oneof(fc.double({ min: 0.2, max: 60, noNaN: true }), fc.integer({ min: 1, max: 1_000_000 })),
        (p, df) => {
          const t = studentTQuantile(p, df);
          fc.pre(t > -Infinity);
          expect(Math.abs(Math.log(studentTCdf(t, df) / p))).toBeLessThan(1e-11);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("follows the tail beyond the range where t² overflows", () => {
    expect(studentTQuantile(1e-300, 1) / -3.183098861837907e299).toBeCloseTo(1, 12);
    expect(studentTQuantile(1e-300, 0.1)).toBe(-Infinity);
  });

  it("is 0 at one half, infinite at the ends, and refused outside", () => {
    expect([0, 0.5, 1].map((p) => studentTQuantile(p, 7))).toEqual([-Infinity, 0, Infinity]);
    expect(studentTQuantile(0.975, Infinity)).toBeCloseTo(1.959963984540054, 13);
    expect(() => studentTQuantile(1.5, 7)).toThrow("E_VALUE");
    expect(() => studentTQuantile(0.5, 0)).toThrow("E_VALUE");
  });
});
