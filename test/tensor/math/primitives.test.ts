import { describe, expect, it } from "vitest";
import {
  cos32,
  erf32,
  erf64,
  erfc32,
  erfc64,
  exp32,
  expm132,
  log1p32,
  log32,
  sigmoid32,
  sigmoid64,
  sin32,
  tanh32,
} from "../../../src/tensor/math/index.js";
import { float32Grid, neighbours, ulpError } from "./float32-grid.js";

interface Primitive {
  readonly single: (x: number) => number;
  readonly double: (x: number) => number;
  /** The documented greatest error in units of the last place. */
  readonly limit: number;
  /** Where forms change, results saturate or cancellation threatens. */
  readonly edges: readonly number[];
}

const quarterTurns = [1, 2, 3, 4, 5, 1000, 2 ** 19, 667_544, 667_545, 1e7, 2 ** 40, 1e20].map(
  (k) => (k * Math.PI) / 2,
);

const primitives: Record<string, Primitive> = {
  exp32: { single: exp32, double: Math.exp, limit: 1, edges: [88.7228, -87.3365, -103.972, 0.3466, 1e-8] },
  log32: {
    single: log32,
    double: Math.log,
    limit: 1,
    edges: [1, Math.SQRT2, Math.SQRT1_2, 2 ** -126, 2 ** -140],
  },
  log1p32: {
    single: log1p32,
    double: Math.log1p,
    limit: 1,
    edges: [-1, -0.2929, 0.4142, 1, 1e-8, -1e-8, 2 ** 24],
  },
  expm132: {
    single: expm132,
    double: Math.expm1,
    limit: 1.6,
    edges: [88.7228, -17.5, 0.3466, -0.3466, 1e-8],
  },
  tanh32: {
    single: tanh32,
    double: Math.tanh,
    limit: 1.6,
    edges: [0.26, 0.2554, 0.6066, 9.01, 9.0625, 1e-8],
  },
  sigmoid32: {
    single: sigmoid32,
    double: sigmoid64,
    limit: 2,
    edges: [-0.3466, 0.3466, -88, -103.97, 17, 104],
  },
  sin32: { single: sin32, double: Math.sin, limit: 1.6, edges: [2 ** 20, 1e-3, ...quarterTurns] },
  cos32: { single: cos32, double: Math.cos, limit: 1.6, edges: [2 ** 20, 1e-3, ...quarterTurns] },
  erf32: { single: erf32, double: erf64, limit: 1.25, edges: [1, -1, 3.9, 1e-8] },
  erfc32: { single: erfc32, double: erfc64, limit: 1, edges: [0.46875, -1, 9.19, 10.05, 10.0625] },
};

describe.each(Object.entries(primitives))("%s", (_, { single, double, limit, edges }) => {
  function worst(points: Iterable<number>): { error: number; x: number } {
    let result = { error: 0, x: 0 };
    for (const x of points) {
      const error = ulpError(single(x), double(x));
      if (!(error <= result.error)) result = { error, x };
    }
    return result;
  }

  it(`is within ${limit} units of the last place over the whole range, special values included`, () => {
    expect(worst(float32Grid(8191)), "grid of bit patterns").toSatisfy(
      (at: { error: number }) => at.error <= limit,
    );
    const special = [
      0,
      -0,
      Infinity,
      -Infinity,
      NaN,
      2 ** -149,
      -(2 ** -149),
      3.4028234663852886e38,
      -1,
      1,
      -2,
    ];
    expect(worst(special), "special values").toSatisfy((at: { error: number }) => at.error <= limit);
    expect(worst(neighbours(edges, 3000)), "edges").toSatisfy((at: { error: number }) => at.error <= limit);
  });

  it("gives float32 numbers", () => {
    const others = [...float32Grid(2 ** 16 + 1)].filter((x) => !Object.is(Math.fround(single(x)), single(x)));
    expect(others).toEqual([]);
  });
});

describe("symmetry", () => {
  it("holds to the bit for odd and even functions", () => {
    const grid = [...float32Grid(2 ** 16 + 1)];
    for (const odd of [tanh32, sin32, erf32])
      expect(grid.filter((x) => !Object.is(odd(-x), -odd(x)))).toEqual([]);
    expect(grid.filter((x) => !Object.is(cos32(-x), cos32(x)))).toEqual([]);
  });
});
