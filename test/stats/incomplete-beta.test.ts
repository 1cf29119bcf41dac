import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { incompleteBeta } from "../../src/stats/index.js";

const inside = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
const shape = fc.double({ min: 0.1, max: 300, noNaN: true });

describe("incompleteBeta", () => {
  it("is the binomial tail for whole shapes", () => {
    fc.assert(
      fc.property(inside, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 }), (x, a, b) => {
        const n = a + b - 1;
        let tail = 0;
        let ways = 1;
        for (let j = 0; j <= n; j++) {
          if (j >= a) tail += ways * x ** j * (1 - x) ** (n - j);
          ways = (ways * (n - j)) / (j + 1);
        }
        expect(Math.abs(incompleteBeta(x, 1 - x, a, b) - tail)).toBeLessThan(1e-13);
      }),
    );
  });

  it("is complemented by its mirror image and grows with x", () => {
    fc.assert(
      fc.property(inside, inside, shape, shape, (x, other, a, b) => {
        const value = incompleteBeta(x, 1 - x, a, b);
        expect(Math.abs(value + incompleteBeta(1 - x, x, b, a) - 1)).toBeLessThan(1e-12);
        const second = incompleteBeta(other, 1 - other, a, b);
        if (x < other) expect(value).toBeLessThanOrEqual(second + 1e-12);
      }),
    );
  });

  it("is 0 and 1 at the ends", () => {
    expect([incompleteBeta(0, 1, 2, 3), incompleteBeta(1, 0, 2, 3)]).toEqual([0, 1]);
  });
});
