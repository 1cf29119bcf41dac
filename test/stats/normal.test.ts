import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalCdf, normalQuantile } from "../../src/stats/index.js";
import values from "./fixtures/reference-values.json" with { type: "json" };

describe("normalCdf", () => {
  it.each(values.normal as [number, number][])("is right at %d", (x, expected) => {
    expect(Math.abs(normalCdf(x) / expected - 1)).toBeLessThan(2e-14);
  });

  it("ends at 0 and 1 and keeps NaN", () => {
    expect([normalCdf(-Infinity), normalCdf(Infinity), normalCdf(NaN)]).toEqual([0, 1, NaN]);
  });
});

describe("normalQuantile", () => {
  it.each([
    [0.975, 1.959963984540054],
    [0.8, 0.8416212335729143],
    [0.995, 2.5758293035489004],
    [1e-20, -9.262340089798409],
    [0.5, 0],
  ])("is right at %d", (p, expected) => {
    expect(Math.abs(normalQuantile(p) - expected)).toBeLessThan(2e-14 * Math.max(1, Math.abs(expected)));
  });

  it("inverts the distribution function, also far down the tail", () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 5, noNaN: true }), (x) => {
        const p = normalCdf(x);
        expect(Math.abs(normalCdf(normalQuantile(p)) / p - 1)).toBeLessThan(1e-12);
      }),
    );
  });

  it("is odd about one half, infinite at the ends, and refused outside", () => {
    for (const p of [0.25, 0.125, 2 ** -20]) expect(normalQuantile(1 - p)).toBe(-normalQuantile(p));
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity]);
    for (const p of [-0.1, 1.1, NaN]) expect(() => normalQuantile(p)).toThrow("E_VALUE");
  });
});
