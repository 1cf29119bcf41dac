import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTruncated, spectralFactors } from "../../../../src/ideas/moment-rank2/kernel/spectral-factors.js";
import { addTruncationDerivative } from "../../../../src/ideas/moment-rank2/kernel/truncation-derivative.js";
import { generator } from "../../../../src/random/index.js";
import type { Floats } from "../../../../src/tensor/index.js";
import { greatest, seeds, withSpectrum } from "../random-matrices.js";
import { derivativeByFormula } from "./spectral-formula.js";

interface Grid {
  readonly rows: number;
  readonly columns: number;
}

const square: Grid = { rows: 8, columns: 8 };

function derivative<F extends Floats>(h: F, g: F, grid: Grid, rank: number, bound: number | "tangent"): F {
  const out = h.slice().fill(0) as F;
  addTruncationDerivative(spectralFactors(h, 1, grid.rows, grid.columns), rank, bound, g, out);
  return out;
}

function product(x: Floats, y: Floats): number {
  return Array.from(x).reduce((sum, value, i) => sum + value * y[i]!, 0);
}

function farthest(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return greatest(Float64Array.from(x, (value, i) => value - y[i]!));
}

/** A spectrum in steps, with a gap at the cut of the given size. */
function steps(k: number, rank: number, gap: number): number[] {
  return Array.from({ length: k }, (_, t) => (k - t) * 0.3 + (t < rank ? gap : 0));
}

describe("addTruncationDerivative", () => {
  it("is the derivative: five-point differences of T_r, square and rectangular", () => {
    const shapes = fc.constantFrom<Grid & { rank: number }>(
      { rows: 8, columns: 8, rank: 2 },
      { rows: 8, columns: 8, rank: 1 },
      { rows: 3, columns: 7, rank: 2 },
      { rows: 7, columns: 3, rank: 2 },
      { rows: 2, columns: 9, rank: 1 },
      { rows: 6, columns: 5, rank: 4 },
    );
    fc.assert(
      fc.property(seeds, shapes, (seed, { rank, ...grid }) => {
        const size = grid.rows * grid.columns;
        const h = withSpectrum(seed, grid, steps(Math.min(grid.rows, grid.columns), rank, 0.7));
        const g = generator(seed).stream("g").normals(size);
        const at = (step: number): Float64Array => {
          const moved = h.map((x, i) => x + step * 5e-4 * g[i]!);
          const out = new Float64Array(size);
          addTruncated(spectralFactors(moved, 1, grid.rows, grid.columns), rank, out);
          return out;
        };
        const [a, b, c, d] = [at(-2), at(-1), at(1), at(2)];
        const differences = h.map((_, i) => (a![i]! - 8 * b![i]! + 8 * c![i]! - d![i]!) / 0.006);
        const rule = derivative(h, g, grid, rank, Infinity);
        expect(farthest(rule, differences)).toBeLessThan(1e-9 * Math.max(1, greatest(rule)));
      }),
    );
  });

  it("is the written formula, exact, clipped and tangent", () => {
    const bounds = fc.constantFrom<number | "tangent">(1, 2, 8, 64, Infinity, "tangent");
    fc.assert(
      fc.property(seeds, bounds, fc.integer({ min: 1, max: 6 }), (seed, bound, rank) => {
        const h = generator(seed).normals(36);
        const g = generator(seed).stream("g").normals(36);
        const rule = derivative(h, g, { rows: 6, columns: 6 }, rank, bound);
        const formula = derivativeByFormula(h, g, 6, rank, bound);
        expect(farthest(rule, formula)).toBeLessThan(1e-11 * Math.max(1, greatest(formula)));
      }),
    );
  });

  it("clips the amplification of a close pair to the bound and no other", () => {
    const h = withSpectrum(5, square, [4, 2, 1.9, 0.5]);
    const { u, v } = spectralFactors(h, 1, 8, 8);
    // G = u_2 v_3ᵀ + u_3 v_2ᵀ is symmetric in the pair (2, 3), so that DT[G] = a·G with a = 2/(2 − 1.9) = 20.
    const pair = (i: number, j: number) =>
      Float64Array.from({ length: 64 }, (_, at) => {
        const [p, q] = [at >> 3, at & 7];
        return u[i * 8 + p]! * v[j * 8 + q]! + u[j * 8 + p]! * v[i * 8 + q]!;
      });
    const gain = (g: Float64Array, bound: number) =>
      product(derivative(h, g, square, 2, bound), g) / product(g, g);
    expect(gain(pair(1, 2), Infinity)).toBeCloseTo(20, 9);
    expect(gain(pair(1, 2), 8)).toBeCloseTo(8, 12);
    expect(gain(pair(1, 2), 19)).toBeCloseTo(19, 12);
    expect(gain(pair(1, 2), 21)).toBeCloseTo(20, 9);
    expect(gain(pair(0, 2), 8)).toBeCloseTo(4 / 2.1, 11);
    expect(gain(pair(1, 3), 8)).toBeCloseTo(2 / 1.5, 11);
  });

  it("is self-adjoint", () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom<number | "tangent">(8, Infinity, "tangent"), (seed, bound) => {
        const [h, x, y] = ["h", "x", "y"].map((name) => generator(seed).stream(name).normals(64));
        const gap = (a: Floats, b: Floats, c: Floats) => {
          const mapped = derivative(a, b, square, 2, bound);
          const scale = Math.sqrt(product(mapped, mapped) * product(c, c));
          return Math.abs(product(mapped, c) - product(b, derivative(a, c, square, 2, bound))) / scale;
        };
        expect(gap(h!, x!, y!)).toBeLessThan(1e-12);
        if (bound !== Infinity) {
          const [h32, x32, y32] = [h!, x!, y!].map((z) => new Float32Array(z));
          expect(gap(h32!, x32!, y32!)).toBeLessThan(1e-5);
        }
      }),
    );
  });

  it("in float32 is that of float64 to rounding over the gap", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const h = new Float32Array(withSpectrum(seed, square, steps(8, 2, 0.7)));
        const g = new Float32Array(generator(seed).stream("g").normals(64));
        const exact = derivative(new Float64Array(h), new Float64Array(g), square, 2, Infinity);
        expect(farthest(derivative(h, g, square, 2, Infinity), exact)).toBeLessThan(4e-6 * greatest(exact));
      }),
    );
  });

  it("is finite and at most `bound` times as long as G for every spectrum", () => {
    const spectra = fc.constantFrom<readonly number[]>(
      [],
      [3],
      [2, 2, 1],
      [2, 1, 1, 0.5],
      [1, 1, 1, 1, 1, 1, 1, 1],
      [1e-30, 1e-30],
      [1, 1e-8, 1e-8],
      [5, 1e-20],
    );
    fc.assert(
      fc.property(seeds, spectra, fc.constantFrom(1, 8, 1024), (seed, spectrum, bound) => {
        const h = withSpectrum(seed, square, spectrum);
        const g = generator(seed).stream("g").normals(64);
        for (const [a, b] of [
          [h, g],
          [new Float32Array(h), new Float32Array(g)],
        ] as const) {
          const x = derivative(a, b, square, 2, bound);
          expect(x.every(Number.isFinite)).toBe(true);
          expect(product(x, x)).toBeLessThan(1.0001 * bound ** 2 * product(b, b));
        }
      }),
    );
  });

  it("does not see equal singular values within what is kept", () => {
    const h = withSpectrum(11, square, [2, 2, 0.5, 0.1]);
    const apart = withSpectrum(11, square, [2 + 1e-9, 2 - 1e-9, 0.5, 0.1]);
    const g = generator(11).stream("g").normals(64);
    expect(
      farthest(derivative(h, g, square, 2, Infinity), derivative(apart, g, square, 2, Infinity)),
    ).toBeLessThan(1e-7);
  });

  it("is the identity where everything is kept", () => {
    for (const [rows, columns] of [
      [4, 4],
      [3, 6],
      [6, 3],
    ] as const) {
      const h = generator(rows).normals(rows * columns);
      const g = generator(columns)
        .stream("g")
        .normals(rows * columns);
      expect(farthest(derivative(h, g, { rows, columns }, Math.min(rows, columns), 8), g)).toBeLessThan(
        1e-14,
      );
    }
  });
});
