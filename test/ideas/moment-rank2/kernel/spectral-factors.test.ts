import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addTruncated, spectralFactors } from "../../../../src/ideas/moment-rank2/kernel/spectral-factors.js";
import { generator } from "../../../../src/random/index.js";
import type { Floats } from "../../../../src/tensor/index.js";
import { greatest, seeds, sides } from "../random-matrices.js";

function truncated<F extends Floats>(h: F, batch: number, rows: number, columns: number, rank: number): F {
  const out = h.slice().fill(0) as F;
  addTruncated(spectralFactors(h, batch, rows, columns), rank, out);
  return out;
}

describe("addTruncated", () => {
  it("leaves Σ_{j>r} s_j² of the square of H: no matrix of rank r is nearer (Eckart–Young)", () => {
    fc.assert(
      fc.property(seeds, sides, fc.integer({ min: 1, max: 9 }), (seed, { rows, columns }, wanted) => {
        const k = Math.min(rows, columns);
        const rank = Math.min(wanted, k);
        const h = generator(seed).normals(rows * columns);
        const { s } = spectralFactors(h, 1, rows, columns);
        const t = truncated(h, 1, rows, columns, rank);
        const left = h.reduce((sum, x, i) => sum + (x - t[i]!) ** 2, 0);
        const tail = Array.from(s.slice(rank)).reduce((sum, x) => sum + x * x, 0);
        expect(Math.abs(left - tail)).toBeLessThan(1e-12 * (1 + left));
        const rest = spectralFactors(t, 1, rows, columns).s;
        for (let j = rank; j < k; j++) expect(rest[j]!).toBeLessThan(1e-13 * (1 + rest[0]!));
      }),
    );
  });

  it("in float32 is that of float64 to rounding, and a batch is its matrices one by one", () => {
    fc.assert(
      fc.property(seeds, sides, (seed, { rows, columns }) => {
        const size = rows * columns;
        const h = new Float32Array(generator(seed).normals(3 * size));
        const rank = Math.min(2, rows, columns);
        const t = truncated(h, 3, rows, columns, rank);
        for (let b = 0; b < 3; b++) {
          const one = h.slice(b * size, (b + 1) * size);
          expect(t.slice(b * size, (b + 1) * size)).toEqual(truncated(one, 1, rows, columns, rank));
          const { s } = spectralFactors(new Float64Array(one), 1, rows, columns);
          if (rank < s.length && 1 - s[rank]! / s[rank - 1]! < 0.05) continue;
          const reference = truncated(new Float64Array(one), 1, rows, columns, rank);
          const error = reference.map((x, i) => x - t[b * size + i]!);
          expect(greatest(error)).toBeLessThan(2e-5 * s[0]!);
        }
      }),
    );
  });
});
