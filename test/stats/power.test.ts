import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generator } from "../../src/random/index.js";
import { detectableEffect, mean, neededPairs, pairedT, power, sampleStd } from "../../src/stats/index.js";
import { momentReport, pivotedReport } from "./report-data.js";
import { runs } from "../runs.js";

describe("power", () => {
  it("gives the published values for one sample, two-sided", () => {
    expect(power({ n: 20, dz: 0.2 })).toBeCloseTo(0.1359563, 7);
    expect(power({ n: 20, dz: 0.5 })).toBeCloseTo(0.5645044, 7);
  });

  it("is the rejection rate of the t test", () => {
    const rng = generator("power");
    const runs = 4000;
    let rejected = 0;
    for (let run = 0; run < runs; run++) if (pairedT(rng.normals(10, 0.8)).p <= 0.05) rejected++;
    const expected = power({ n: 10, dz: 0.8 });
    expect(Math.abs(rejected / runs - expected)).toBeLessThan(
      4 * Math.sqrt((expected * (1 - expected)) / runs),
    );
  });

  it("is alpha without an effect, grows with it and with n, and has no sign", () => {
    const n = fc.integer({ min: 2, max: 300 });
    const dz = fc.double({ min: 0.01, max: 3, noNaN: true });
    fc.assert(
      fc.property(n, dz, (pairs, effect) => {
        expect(power({ n: pairs, dz: 0, alpha: 0.03 })).toBeCloseTo(0.03, 12);
        const at = power({ n: pairs, dz: effect });
        expect(power({ n: pairs, dz: -effect })).toBe(at);
        expect(power({ n: pairs, dz: effect * 1.1 })).toBeGreaterThanOrEqual(at - 1e-12);
        expect(power({ n: pairs + 1, dz: effect })).toBeGreaterThanOrEqual(at - 1e-12);
        expect(at > 0.05 - 1e-12 && at <= 1).toBe(true);
      }),
    );
  });

  it("goes over into the normal limit without a step, and is 1 for an effect beyond doubt", () => {
    const [below, above] = [1_000_000, 1_000_001].map((n) => power({ n, dz: 0.0028 }));
    expect(Math.abs(below - above)).toBeLessThan(2e-6);
    expect(power({ n: 1000, dz: 1e6 })).toBe(1);
  });

  it("refuses what is no plan", () => {
    for (const n of [1, 0, NaN, Infinity]) {
      expect(() => power({ n, dz: 1 })).toThrow("E_VALUE");
      expect(() => detectableEffect({ n })).toThrow("E_VALUE");
    }
    for (const dz of [NaN, Infinity]) {
      expect(() => power({ n: 8, dz })).toThrow("E_VALUE");
      expect(() => neededPairs({ dz })).toThrow("E_VALUE");
    }
    expect(() => power({ n: 8, dz: 1, alpha: 0 })).toThrow("alpha");
    expect(() => detectableEffect({ n: 8, power: 0.05 })).toThrow("E_VALUE");
    expect(() => neededPairs({ dz: 1, power: 1 })).toThrow("E_VALUE");
  });
});

describe("detectableEffect", () => {
  it("gives the published values at 80 %", () => {
    expect(detectableEffect({ n: 20 })).toBeCloseTo(0.66044, 5);
    expect(detectableEffect({ n: 8 })).toBeCloseTo(1.15603, 5);
  });

  it("is 48.1 % and 19.8 % of the baseline in the reports", () => {
    const percent = ({ diffs, baseline }: typeof momentReport): number =>
      (100 * detectableEffect({ n: diffs.length }) * sampleStd(diffs)) / mean(baseline);
    expect(percent(momentReport)).toBeCloseTo(48.1, 1);
    expect(percent(pivotedReport)).toBeCloseTo(19.8, 1);
  });
});

describe("neededPairs", () => {
  it("gives the published value for dz = 0.5 at 80 %", () => {
    expect(neededPairs({ dz: 0.5 })).toBeCloseTo(33.36713, 5);
  });

  it("is 138 and 26 seeds for a 10 % effect in the reports", () => {
    const pairs = ({ diffs, baseline }: typeof momentReport): number =>
      Math.ceil(neededPairs({ dz: (0.1 * mean(baseline)) / sampleStd(diffs) }));
    expect(pairs(momentReport)).toBe(138);
    expect(pairs(pivotedReport)).toBe(26);
  });

  it("inverts power, as detectableEffect does", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.05, max: 1.5, noNaN: true }),
        fc.double({ min: 0.2, max: 0.99, noNaN: true }),
        (dz, wanted) => {
          const n = neededPairs({ dz, power: wanted });
          fc.pre(n > 2);
          expect(power({ n, dz })).toBeCloseTo(wanted, 9);
          expect(detectableEffect({ n, power: wanted })).toBeCloseTo(dz, 9);
        },
      ),
      { numRuns: runs(25) },
    );
  });

  it("is at least 2, ∞ without an effect, and has the normal limit far out", () => {
    expect(neededPairs({ dz: 50 })).toBe(2);
    expect(neededPairs({ dz: 0 })).toBe(Infinity);
    const limit = ((1.959963984540054 + 0.8416212335729143) / 1e-4) ** 2;
    expect(neededPairs({ dz: -1e-4 }) / limit).toBeCloseTo(1, 5);
  });
});
