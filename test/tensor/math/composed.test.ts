import { describe, expect, it } from "vitest";
import {
  gelu32,
  gelu64,
  geluSlope32,
  geluSlope64,
  geluTanh32,
  geluTanh64,
  geluTanhSlope32,
  geluTanhSlope64,
  softplus32,
  softplus64,
} from "../../../src/tensor/math/index.js";
import { float32Grid, neighbours, ulpError } from "./float32-grid.js";

const roundoff = 2 ** -24;
const composed = { gelu32, geluTanh32, geluSlope32, geluTanhSlope32, softplus32 };
const references = {
  gelu32: gelu64,
  geluTanh32: geluTanh64,
  geluSlope32: geluSlope64,
  geluTanhSlope32: geluTanhSlope64,
  softplus32: softplus64,
};
const edges = [-13.28125, -13.243, -3, -1, -0.26, 0.26, 1, 4, 13.28125, 88, -88, -103.97, -9.3];

describe.each(Object.keys(composed) as (keyof typeof composed)[])("%s", (name) => {
  const single = composed[name];
  const double = references[name];

  function excess(x: number): number {
    const [actual, expected] = [single(x), double(x)];
    if (!Number.isFinite(Math.fround(expected)) || expected === 0) return ulpError(actual, expected);
    return Math.abs(actual - expected) / (roundoff * (1 + Math.abs(expected)));
  }

  it("is within 4u(1 + |value|) of float64 over the whole range", () => {
    let worst = 0;
    for (const x of float32Grid(8191)) worst = Math.max(worst, excess(x));
    for (const x of neighbours(edges, 3000)) worst = Math.max(worst, excess(x));
    expect(worst).toBeLessThanOrEqual(4);
  });

  it("treats zeros, infinities and NaN as float64 does", () => {
    for (const x of [0, -0, Infinity, -Infinity, NaN, -3e38, 3e38]) {
      expect(single(x)).toBe(Math.fround(double(x)));
    }
  });
});

describe("gelu32", () => {
  it("keeps relative precision for negative x, where 1 + erf would cancel", () => {
    let worst = 0;
    for (let x = -4; x < 4; x += 1 / 8191) worst = Math.max(worst, ulpError(gelu32(x), gelu64(x)));
    expect(worst).toBeLessThanOrEqual(13);
  });
});

describe("softplus32", () => {
  it("keeps relative precision for negative x", () => {
    let worst = 0;
    for (let x = -100; x < 20; x += 1 / 256) worst = Math.max(worst, ulpError(softplus32(x), softplus64(x)));
    expect(worst).toBeLessThanOrEqual(3);
  });
});
