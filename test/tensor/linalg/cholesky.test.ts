import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cholesky } from "../../../src/tensor/linalg/index.js";
import { entries, greatestDifference, multiply, transposed, types } from "./matrices.js";

describe.each(types)("cholesky of $name", ({ make, roundoff }) => {
  it("gives a lower factor with A = L·Lᵀ", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), entries(81), (n, values) => {
        const x = values.slice(0, n * n);
        const a = make(
          multiply(x, transposed(x, n, n), n, n, n).map((e, at) => (at % (n + 1) === 0 ? e + 0.5 : e)),
        );
        const l = cholesky(a, 1, n);
        for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) expect(l[i * n + j]).toBe(0);
        expect(greatestDifference(multiply(l, transposed(l, n, n), n, n, n), a)).toBeLessThanOrEqual(
          32 * n * roundoff,
        );
      }),
    );
  });

  it("is exact on whole-number factors, for each matrix of a batch", () => {
    const factors = [
      [2, 0, 0, 1, 3, 0, -4, 5, 1],
      [1, 0, 0, -2, 1, 0, 3, 0, 7],
    ];
    const a = factors.flatMap((l) => [...multiply(l, transposed(l, 3, 3), 3, 3, 3)]);
    expect([...cholesky(make(a), 2, 3)]).toEqual(factors.flat());
  });

  it("reads only the lower triangle", () => {
    expect([...cholesky(make([4, NaN, 2, 2]), 1, 2)]).toEqual([2, 0, 1, 1]);
  });

  it("names the matrix and the pivot where one is not positive definite", () => {
    const good = [1, 0, 0, 1];
    for (const bad of [
      [1, 2, 2, 4],
      [1, 2, 2, 1],
      [1, 0, 0, NaN],
      [1, 0, 0, Infinity],
    ]) {
      expect(() => cholesky(make([...good, ...bad]), 2, 2)).toThrow(/E_NUMERIC.*pivot 1 of the 2×2 matrix 1/);
    }
    expect(() => cholesky(make([0]), 1, 1)).toThrow(/pivot 0 of the 1×1 matrix 0 of the batch is 0/);
  });

  it("takes empty matrices and batches", () => {
    expect(cholesky(make([]), 0, 3)).toHaveLength(0);
    expect(cholesky(make([]), 4, 0)).toHaveLength(0);
  });
});
