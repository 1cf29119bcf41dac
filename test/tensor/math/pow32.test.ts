import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pow32 } from "../../../src/tensor/math/index.js";
import { float32Grid, ulpError } from "./float32-grid.js";
import { runs } from "../../runs.js";

describe("pow32", () => {
  it("agrees with Math.pow in float64 to 1 unit of the last place", () => {
    fc.assert(
      fc.property(fc.float(), fc.float(), (x, y) => {
        expect(ulpError(pow32(x, y), Math.pow(x, y))).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(3000) },
    );
  });

  it("does so for every kind of base with exponents that keep the result in range", () => {
    let worst = 0;
    for (const x of float32Grid(40_961)) {
      for (const y of [-1.5, -1, -0.0625, 0.03125, 0.5, 1, 2, 3, Math.fround(4 / 3), 25]) {
        worst = Math.max(worst, ulpError(pow32(x, y), Math.pow(x, y)));
      }
    }
    expect(worst).toBeLessThanOrEqual(0.75);
  });

  it("does so for bases near 1 with great exponents", () => {
    let worst = 0;
    for (let step = -400; step <= 400; step++) {
      const x = Math.fround(1 + step * 2 ** -23);
      for (const y of [1e3, 12345, 2 ** 20, 1e7].map(Math.fround)) {
        worst = Math.max(
          worst,
          ulpError(pow32(x, y), Math.pow(x, y)),
          ulpError(pow32(x, -y), Math.pow(x, -y)),
        );
      }
    }
    expect(worst).toBeLessThanOrEqual(0.75);
  });

  it("gives what Math.pow gives for all pairs of special values", () => {
    const special = [
      0,
      2 ** -149,
      0.5,
      1,
      2,
      3,
      2.5,
      2 ** 24,
      16_777_215,
      3.4028234663852886e38,
      Infinity,
      NaN,
    ];
    const signed = special.flatMap((x) => [x, -x]);
    for (const x of signed) for (const y of signed) expect(pow32(x, y)).toBe(Math.fround(Math.pow(x, y)));
  });

  it("is exact where the result is a float32 with few bits", () => {
    for (let base = -40; base <= 40; base++) {
      for (let power = 0; power <= 4; power++) expect(pow32(base, power)).toBe(base ** power);
    }
  });
});
