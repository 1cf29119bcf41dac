import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noncentralTCdf, normalCdf, studentTCdf } from "../../src/stats/index.js";
import values from "./fixtures/reference-values.json" with { type: "json" };

describe("noncentralTCdf", () => {
  it.each(values.noncentralT as [number, number, number, number][])(
    "is right at t = %d, df = %d, delta = %d",
    (t, df, delta, expected) => {
      expect(Math.abs(noncentralTCdf(t, df, delta) - expected)).toBeLessThan(1e-12);
    },
  );

  const t = fc.double({ min: -20, max: 20, noNaN: true });
  const df = fc.integer({ min: 1, max: 200 });
  const delta = fc.double({ min: -8, max: 8, noNaN: true });

  it("is Student's t at delta = 0, also in the limit", () => {
    fc.assert(
      fc.property(t, df, (at, freedom) => {
        expect(noncentralTCdf(at, freedom, 0)).toBe(studentTCdf(at, freedom));
        expect(Math.abs(noncentralTCdf(at, freedom, 1e-9) - studentTCdf(at, freedom))).toBeLessThan(1e-9);
      }),
    );
  });

  it("is mirrored, grows with t, falls with delta, and is Φ(−delta) at 0", () => {
    fc.assert(
      fc.property(t, df, delta, (at, freedom, shift) => {
        const value = noncentralTCdf(at, freedom, shift);
        expect(Math.abs(value + noncentralTCdf(-at, freedom, -shift) - 1)).toBeLessThan(1e-12);
        expect(noncentralTCdf(at + 0.5, freedom, shift)).toBeGreaterThanOrEqual(value - 1e-12);
        expect(noncentralTCdf(at, freedom, shift + 0.5)).toBeLessThanOrEqual(value + 1e-12);
        expect(noncentralTCdf(0, freedom, shift)).toBeCloseTo(normalCdf(-shift), 13);
      }),
    );
  });

  it("takes a large delta, and names the largest", () => {
    expect(noncentralTCdf(1000, 20, 1000)).toBeCloseTo(0.457930965, 8);
    expect(() => noncentralTCdf(1, 7, 1001)).toThrow("±1000");
    expect(() => noncentralTCdf(1, 0, 1)).toThrow("E_VALUE");
    expect(() => noncentralTCdf(1, 7, NaN)).toThrow("E_VALUE");
    expect(noncentralTCdf(NaN, 7, 1)).toBeNaN();
    expect([noncentralTCdf(-Infinity, 7, 1), noncentralTCdf(Infinity, 7, 1)]).toEqual([0, 1]);
  });
});
