import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gridMoments, randomMoments } from "../../../src/ideas/moment-rank2/index.js";
import type { MomentBasis } from "../../../src/ideas/moment-rank2/index.js";
import { generator } from "../../../src/random/index.js";
import { seeds, sides } from "./random-matrices.js";

const weights = (length: number) =>
  fc.option(
    fc.array(fc.double({ min: 0.05, max: 20, noNaN: true }), { minLength: length, maxLength: length }),
    {
      nil: undefined,
    },
  );

const grids = sides.chain(({ rows, columns }) =>
  fc.record({
    rows: fc.constant(rows),
    columns: fc.constant(columns),
    w1: weights(rows),
    w2: weights(columns),
  }),
);

function basisOf({ rows, columns, w1, w2 }: { rows: number; columns: number; w1?: number[]; w2?: number[] }) {
  if (!w1 || !w2) return gridMoments({ rows, columns });
  return gridMoments({ rows, columns, weight: { rows: w1, columns: w2 } });
}

function row({ elements, rows, columns }: MomentBasis, k: number): Float64Array {
  return elements.subarray(k * rows * columns, (k + 1) * rows * columns);
}

function product(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}

describe("gridMoments", () => {
  it("is the closed form on 8×8", () => {
    const p1 = [-7, -5, -3, -1, 1, 3, 5, 7].map((v) => v / Math.sqrt(168));
    const p2 = [7, 1, -3, -5, -5, -3, 1, 7].map((v) => v / Math.sqrt(168));
    const closed = [
      () => 1 / 8,
      (i: number) => p1[i]! / Math.sqrt(8),
      (_: number, j: number) => p1[j]! / Math.sqrt(8),
      (i: number, j: number) => (p2[i]! + p2[j]!) / 4,
    ];
    const basis = gridMoments({ rows: 8, columns: 8 });
    expect(basis.names).toEqual(["mass", "momentum 1", "momentum 2", "energy"]);
    expect(basis.scale).toBeUndefined();
    closed.forEach((entry, k) => {
      row(basis, k).forEach((e, at) => expect(e).toBeCloseTo(entry(at >> 3, at & 7), 15));
    });
  });

  it("is orthonormal, with and without a weight", () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const basis = basisOf(grid);
        for (let j = 0; j < basis.count; j++) {
          for (let k = 0; k <= j; k++) {
            expect(product(row(basis, j), row(basis, k))).toBeCloseTo(j === k ? 1 : 0, 13);
          }
        }
      }),
    );
  });

  it("is orthonormal to rounding where the functions are nearly dependent on the weighted grid", () => {
    const uneven = [1e-9, 1, 1e-9, 1e-8, 1e-9];
    const basis = gridMoments({ rows: 5, columns: 5, weight: { rows: uneven, columns: uneven } });
    for (let j = 0; j < 4; j++) {
      for (let k = 0; k <= j; k++) {
        expect(Math.abs(product(row(basis, j), row(basis, k)) - (j === k ? 1 : 0))).toBeLessThan(1e-15);
      }
    }
  });

  it("spans mass, momenta and energy: S∘E gives each of them from its moments", () => {
    fc.assert(
      fc.property(grids, seeds, (grid, seed) => {
        const { rows, columns } = grid;
        const basis = basisOf(grid);
        const at = (f: (v1: number, v2: number) => number) =>
          Float64Array.from({ length: rows * columns }, (_, i) => f(Math.floor(i / columns), i % columns));
        // A function of which every moment is zero must be invisible to 1, v1, v2 and v1² + v2², counted from 0 here.
        const h = generator(seed).normals(rows * columns);
        const scaled = basis.scale ? h.map((x, i) => x * basis.scale![i]!) : h.slice();
        for (let k = 0; k < basis.count; k++) {
          const moment = product(row(basis, k), scaled);
          row(basis, k).forEach((e, i) => (scaled[i]! -= moment * e));
        }
        const rest = basis.scale ? scaled.map((x, i) => x / basis.scale![i]!) : scaled;
        for (const f of [at(() => 1), at((v1) => v1), at((_, v2) => v2), at((v1, v2) => v1 * v1 + v2 * v2)]) {
          expect(Math.abs(product(f, rest))).toBeLessThan(1e-11 * (product(f, f) + product(h, h)));
        }
      }),
    );
  });

  it("drops energy where both modes have two points, and only there", () => {
    expect(gridMoments({ rows: 2, columns: 2 }).names).toEqual(["mass", "momentum 1", "momentum 2"]);
    expect(gridMoments({ rows: 2, columns: 3 }).count).toBe(4);
    expect(gridMoments({ rows: 3, columns: 2 }).count).toBe(4);
  });

  it("refuses what is no grid and what is no weight", () => {
    for (const rows of [1, 2.5, NaN]) {
      expect(() => gridMoments({ rows, columns: 8 })).toThrow(/E_VALUE.*at least 2×2/);
      expect(() => gridMoments({ rows: 8, columns: rows })).toThrow(/E_VALUE.*at least 2×2/);
    }
    const weighted = (...w1: number[]) =>
      gridMoments({ rows: 3, columns: 2, weight: { rows: w1, columns: [1, 1] } });
    expect(() => weighted(1, 1)).toThrow(/E_VALUE.*expected 3 weights of the rows, got 2/);
    for (const bad of [0, -1, Infinity, NaN])
      expect(() => weighted(1, bad, 1)).toThrow(/E_VALUE.*weight 1 of the rows/);
    expect(() => weighted(1, 1e-30, 1e-30)).toThrow(/E_VALUE.*not independent/);
  });
});

describe("randomMoments", () => {
  it("is orthonormal, and the same for the same stream", () => {
    fc.assert(
      fc.property(seeds, sides, (seed, grid) => {
        const count = Math.min(4, grid.rows * grid.columns);
        const basis = randomMoments(generator(seed), { ...grid, count });
        expect(basis.elements).toEqual(randomMoments(generator(seed), { ...grid, count }).elements);
        for (let j = 0; j < count; j++) {
          for (let k = 0; k <= j; k++) {
            expect(product(row(basis, j), row(basis, k))).toBeCloseTo(j === k ? 1 : 0, 13);
          }
        }
      }),
    );
  });

  it("refuses a count that does not fit", () => {
    for (const count of [0, 5, 1.5]) {
      expect(() => randomMoments(generator(0), { rows: 2, columns: 2, count })).toThrow(
        /E_VALUE.*from 1 to 4/,
      );
    }
  });
});
