import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { benjaminiHochberg, holm } from "../../src/stats/index.js";

const ps = [0.52, 0.12, 0.0001, 0.03, 0.14];
const family = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });

function expectClose(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  found.forEach((p, i) => expect(p).toBeCloseTo(expected[i], 14));
}

describe("holm and benjaminiHochberg", () => {
  it("give the worked example", () => {
    expectClose(holm(ps), [0.52, 0.36, 0.0005, 0.12, 0.36]);
    expectClose(benjaminiHochberg(ps), [0.52, 0.175, 0.0005, 0.075, 0.175]);
  });

  it("reject what the step procedures reject", () => {
    fc.assert(
      fc.property(family, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (values, alpha) => {
        const sorted = values.toSorted((a, b) => a - b);
        const k = sorted.length;
        let stepDown = 0;
        while (stepDown < k && sorted[stepDown] * (k - stepDown) <= alpha) stepDown++;
        let stepUp = k;
        while (stepUp > 0 && (sorted[stepUp - 1] * k) / stepUp > alpha) stepUp--;
        expect(holm(values).filter((p) => p <= alpha)).toHaveLength(stepDown);
        expect(benjaminiHochberg(values).filter((p) => p <= alpha)).toHaveLength(stepUp);
      }),
    );
  });

  it("keep order and stay between p and Bonferroni's k·p", () => {
    fc.assert(
      fc.property(family, (values) => {
        const [strict, loose] = [holm(values), benjaminiHochberg(values)];
        values.forEach((p, i) => {
          expect(loose[i]).toBeGreaterThanOrEqual(p - 1e-15);
          expect(strict[i]).toBeGreaterThanOrEqual(loose[i] - 1e-15);
          expect(strict[i]).toBeLessThanOrEqual(Math.min(1, values.length * Math.max(...values)) + 1e-15);
          values.forEach((q, j) => {
            if (p <= q) expect(strict[i] <= strict[j] && loose[i] <= loose[j]).toBe(true);
          });
        });
      }),
    );
  });

  it("leave one p as it is, take an empty family, refuse what is no p", () => {
    expect([holm([0.3]), benjaminiHochberg([0.3]), holm([]), benjaminiHochberg([])]).toEqual([
      [0.3],
      [0.3],
      [],
      [],
    ]);
    for (const bad of [-0.1, 1.1, NaN]) {
      expect(() => holm([0.5, bad])).toThrow("value 1");
      expect(() => benjaminiHochberg([0.5, bad])).toThrow("value 1");
    }
  });
});
