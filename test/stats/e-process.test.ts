import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generator } from "../../src/random/index.js";
import { signEProcess } from "../../src/stats/index.js";
import { differences } from "./samples.js";

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("signEProcess", () => {
  it("has mean 1 over all sign patterns, after every pair", () => {
    fc.assert(
      fc.property(differences(1, 7), (diffs) => {
        const patterns = Array.from({ length: 2 ** diffs.length }, (_, pattern) =>
          signEProcess(diffs.map((x, i) => ((pattern >> i) & 1 ? -x : x))),
        );
        for (let i = 0; i < diffs.length; i++) {
          expect(average(patterns.map((evidence) => evidence[i]))).toBeCloseTo(1, 10);
        }
      }),
    );
  });

  it("follows its definition", () => {
    const evidence = signEProcess([2, -1]);
    const z = [1, -1 / Math.sqrt(2.5)];
    const rates = [-2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2];
    const factor = (rate: number, at: number): number => Math.exp(rate * at) / Math.cosh(rate * at);
    expect(evidence[0]).toBeCloseTo(average(rates.map((rate) => factor(rate, z[0]))), 13);
    expect(evidence[1]).toBeCloseTo(
      average(rates.map((rate) => factor(rate, z[0]) * factor(rate, z[1]))),
      13,
    );
  });

  it("does not depend on scale or on the common sign, and zeros leave it as it is", () => {
    fc.assert(
      fc.property(differences(1, 15), (diffs) => {
        const evidence = signEProcess(diffs);
        const scaled = signEProcess(diffs.map((x) => -1e160 * x));
        evidence.forEach((e, i) => expect(scaled[i] / e).toBeCloseTo(1, 9));
        const last = evidence[evidence.length - 1];
        expect(signEProcess([...diffs, 0])[diffs.length]).toBe(last);
      }),
    );
    expect([...signEProcess([0, 0])]).toEqual([1, 1]);
    expect(signEProcess([])).toHaveLength(0);
    expect(() => signEProcess([1, NaN])).toThrow("E_VALUE");
  });

  it("may be watched: a true hypothesis crosses 20 in at most 5 % of 2000 runs", () => {
    const rng = generator("watched");
    let crossed = 0;
    for (let run = 0; run < 2000; run++) if (signEProcess(rng.normals(60)).some((e) => e >= 20)) crossed++;
    expect(crossed).toBeLessThanOrEqual(100);
  });

  it("finds a real effect", () => {
    const evidence = signEProcess(generator("effect").normals(40, 1.5));
    expect(evidence[39]).toBeGreaterThan(20);
  });
});
