import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jacobiSingularValues, jacobiSvd } from "../../../src/tensor/linalg/index.js";
import {
  entries,
  greatestDifference,
  multiply,
  orthonormalityError,
  transposed,
  types,
  type Floats,
} from "./matrices.js";

/** Fails unless U and V have orthonormal columns, s descends from at least 0, and U·diag(s)·Vᵀ is A. */
function expectDecomposition(a: Floats, m: number, n: number, roundoff: number, scale: number): void {
  const k = Math.min(m, n);
  const { u, s, v } = jacobiSvd(a, 1, m, n);
  expect(orthonormalityError(u, m, k)).toBeLessThanOrEqual(32 * roundoff);
  expect(orthonormalityError(v, n, k)).toBeLessThanOrEqual(32 * roundoff);
  for (let j = 1; j < k; j++) expect(s[j]!).toBeLessThanOrEqual(s[j - 1]!);
  if (k > 0) expect(s[k - 1]!).toBeGreaterThanOrEqual(0);
  const us = Float64Array.from(u, (entry, at) => entry * s[at % k]!);
  const product = multiply(us, transposed(v, n, k), m, k, n);
  expect(greatestDifference(product, a)).toBeLessThanOrEqual(32 * roundoff * scale);
}

const shapes = fc.constantFrom([8, 8], [1, 1], [2, 2], [5, 8], [8, 3], [1, 6], [6, 1], [12, 7]);

describe.each(types)("jacobiSvd of $name", ({ make, roundoff }) => {
  it("decomposes matrices of any shape", () => {
    fc.assert(
      fc.property(
        shapes.chain(([m, n]) => fc.tuple(fc.constant(m!), fc.constant(n!), entries(m! * n!))),
        ([m, n, values]) => expectDecomposition(make(values), m, n, roundoff, Math.sqrt(m * n)),
      ),
    );
  });

  it("decomposes matrices of low rank, exactly and nearly, with complete bases", () => {
    fc.assert(
      fc.property(
        entries(32),
        entries(64),
        fc.constantFrom(0, 1, 2),
        fc.constantFrom(0, 1e-8),
        (x, noise, rank, e) => {
          const values = multiply(x.slice(0, 16), x.slice(16), 8, 2, 8);
          const first = multiply(x.slice(0, 8), x.slice(8, 16), 8, 1, 8);
          const low = rank === 0 ? new Float64Array(64) : rank === 1 ? first : values;
          expectDecomposition(make(low.map((entry, at) => entry + e * noise[at]!)), 8, 8, roundoff, 16);
        },
      ),
    );
  });

  it("decomposes all-ones and zero matrices up to 40×40", () => {
    for (const size of [1, 2, 8, 17, 40]) {
      expectDecomposition(make(new Float64Array(size * size)), size, size, roundoff, 0);
      expectDecomposition(make(new Float64Array(size * size).fill(1)), size, size, roundoff, size);
    }
  });

  it("gives the bases of a zero matrix as unit vectors", () => {
    const { u, s, v } = jacobiSvd(make(new Float64Array(6)), 1, 3, 2);
    expect([...u]).toEqual([1, 0, 0, 1, 0, 0]);
    expect([...s]).toEqual([0, 0]);
    expect([...v]).toEqual([1, 0, 0, 1]);
  });

  it("scales with powers of two, the bases staying the same to the bit", () => {
    fc.assert(
      fc.property(entries(64), fc.integer({ min: -60, max: 60 }), (values, power) => {
        const rounded = make(values).map((entry) => (Math.abs(entry) < 1e-9 ? 0 : entry));
        const plain = jacobiSvd(rounded, 1, 8, 8);
        const scaled = jacobiSvd(make(rounded.map((entry) => entry * 2 ** power)), 1, 8, 8);
        expect([...scaled.u]).toEqual([...plain.u]);
        expect([...scaled.v]).toEqual([...plain.v]);
        // Values further down may be subnormal in one of the two.
        const clear = [...plain.s].filter((value) => value > 2 ** -60).map((value) => value * 2 ** power);
        expect([...scaled.s].slice(0, clear.length)).toEqual(clear);
      }),
    );
  });

  it("neither overflows nor vanishes at the ends of float32", () => {
    const shape = [3, -1, 4, 1, -5, 9, 2, 6, -5, 3, 5, -8];
    for (const size of [1e-38, 1e-30, 1e-20, 1e20, 1e30, 1e37]) {
      expectDecomposition(make(shape.map((entry) => entry * size)), 4, 3, roundoff, 20 * size);
    }
    const least = make([2 ** -149, 0, 0, 2 ** -148]);
    expect([...jacobiSvd(least, 1, 2, 2).s]).toEqual([2 ** -148, 2 ** -149]);
  });

  it("keeps singular values of very different size apart", () => {
    const { s } = jacobiSvd(make([0, 1e-20, 1e10, 0]), 1, 2, 2);
    expect([...s]).toEqual([...make([1e10, 1e-20])]);
  });

  it("is exact on matrices whose decomposition is", () => {
    const { u, s, v } = jacobiSvd(make([0, 0, -3, 4, 0, 0]), 1, 2, 3);
    expect([...s]).toEqual([4, 3]);
    expect([...u]).toEqual([0, -1, 1, 0]);
    expect([...v]).toEqual([1, 0, 0, 0, 0, 1]);
  });

  it("gives the known singular values of a hand case", () => {
    const { s } = jacobiSvd(make([3, 0, 4, 5]), 1, 2, 2);
    expect(greatestDifference(s, [Math.sqrt(45), Math.sqrt(5)])).toBeLessThanOrEqual(16 * roundoff);
  });

  it("makes the leading entry of each column of V positive", () => {
    fc.assert(
      fc.property(entries(40), fc.boolean(), (values, tall) => {
        const [m, n] = tall ? [8, 5] : [5, 8];
        const { v } = jacobiSvd(make(values), 1, m, n);
        for (let j = 0; j < 5; j++) {
          const column = Array.from({ length: n }, (_, i) => v[i * 5 + j]!);
          const greatest = Math.max(...column.map(Math.abs));
          expect(column.find((entry) => Math.abs(entry) === greatest)).toBeGreaterThan(0);
        }
      }),
    );
  });

  it("has the same singular values without the bases, to the bit, NaN where a matrix is not finite", () => {
    fc.assert(
      fc.property(entries(80), fc.constantFrom([8, 5], [5, 8]), (values, [m, n]) => {
        const matrices = make(values);
        expect(jacobiSingularValues(matrices, 2, m!, n!)).toEqual(jacobiSvd(matrices, 2, m!, n!).s);
        matrices[47] = Infinity;
        expect(jacobiSingularValues(matrices, 2, m!, n!)).toEqual(jacobiSvd(matrices, 2, m!, n!).s);
      }),
    );
  });

  it("treats a batch as its matrices one by one", () => {
    fc.assert(
      fc.property(entries(60), (values) => {
        const all = jacobiSvd(make(values), 4, 3, 5);
        for (let index = 0; index < 4; index++) {
          const one = jacobiSvd(make(values.slice(index * 15, index * 15 + 15)), 1, 3, 5);
          expect([...all.u.subarray(index * 9, index * 9 + 9)]).toEqual([...one.u]);
          expect([...all.s.subarray(index * 3, index * 3 + 3)]).toEqual([...one.s]);
          expect([...all.v.subarray(index * 15, index * 15 + 15)]).toEqual([...one.v]);
        }
      }),
    );
  });

  it("gives NaN for a matrix with a non-finite entry, and leaves the others of its batch alone", () => {
    for (const value of [NaN, Infinity, -Infinity]) {
      const { u, s, v } = jacobiSvd(make([1, 0, 0, 2, 1, value, 0, 1]), 2, 2, 2);
      expect([...s]).toEqual([2, 1, NaN, NaN]);
      expect([...u.subarray(4), ...v.subarray(4)]).toEqual(new Array(8).fill(NaN));
      expect([...u.subarray(0, 4)]).toEqual([0, 1, 1, 0]);
    }
  });

  it("takes empty matrices and batches", () => {
    for (const [batch, m, n] of [
      [0, 8, 8],
      [3, 0, 4],
      [3, 4, 0],
    ] as const) {
      const { u, s, v } = jacobiSvd(make([]), batch, m, n);
      expect([u.length, s.length, v.length]).toEqual([0, 0, 0]);
    }
  });

  it("truncates to rank 2 within 1e-6 of the best after six sweeps", () => {
    fc.assert(
      fc.property(entries(64), (values) => {
        const a = make(values);
        const { u, s, v } = jacobiSvd(a, 1, 8, 8, 6);
        const us = Float64Array.from({ length: 16 }, (_, at) => u[(at >> 1) * 8 + (at & 1)]! * s[at & 1]!);
        const v2 = Float64Array.from({ length: 16 }, (_, at) => v[(at >> 1) * 8 + (at & 1)]!);
        const truncated = multiply(us, transposed(v2, 8, 2), 8, 2, 8);
        const exact = jacobiSvd(Float64Array.from(a), 1, 8, 8).s;
        const distance = Math.hypot(...truncated.map((entry, at) => entry - a[at]!));
        expect(distance).toBeLessThanOrEqual(Math.hypot(...exact.subarray(2)) + 1e-6 * exact[0]!);
      }),
    );
  });
});

describe("jacobiSvd", () => {
  it("gives equal bits for equal input, whatever ran before", () => {
    const a = Float32Array.from({ length: 64 }, (_, at) => Math.fround(Math.sin(at * at)));
    const first = jacobiSvd(a, 1, 8, 8);
    jacobiSvd(Float64Array.from(a), 1, 8, 8);
    const second = jacobiSvd(a, 1, 8, 8);
    expect([...second.u, ...second.s, ...second.v]).toEqual([...first.u, ...first.s, ...first.v]);
  });
});
