import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { solveTriangular } from "../../../src/tensor/linalg/index.js";
import { entries, greatestDifference, multiply, transposed, types } from "./matrices.js";

/** The part of a matrix on the wanted side of the diagonal, its diagonal moved away from zero. */
function triangle(values: number[], n: number, upper: boolean): Float64Array {
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    if (i === j) return values[at]! + Math.sign(values[at]! || 1) * 2;
    return i < j === upper ? values[at]! / 2 : 0;
  });
}

describe.each(types)("solveTriangular of $name", ({ make, roundoff }) => {
  it("solves with either triangle and its transpose, reading no other entry", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 4 }),
        entries(64),
        entries(32),
        fc.boolean(),
        fc.boolean(),
        (n, columns, values, right, upper, transpose) => {
          const t = make(triangle(values.slice(0, n * n), n, upper));
          const b = make(right.slice(0, n * columns));
          const dirty = t.map((e, at) =>
            Math.floor(at / n) !== at % n && Math.floor(at / n) < at % n !== upper ? NaN : e,
          );
          const x = solveTriangular(dirty, b, 1, n, columns, { upper, transpose });
          const product = multiply(transpose ? transposed(t, n, n) : t, x, n, n, columns);
          expect(greatestDifference(product, b)).toBeLessThanOrEqual(64 * n * roundoff);
        },
      ),
    );
  });

  it("is exact on whole numbers, for each matrix of a batch", () => {
    const t = make([2, 0, 3, 1, 1, 0, -4, 2]);
    const b = make([2, 4, 5, 7, 1, 0, 0, 2]);
    expect([...solveTriangular(t, b, 2, 2, 2)]).toEqual([1, 2, 2, 1, 1, 0, 2, 1]);
    expect([...solveTriangular(make([2, 3, 0, 1]), make([5, 1]), 1, 2, 1, { upper: true })]).toEqual([1, 1]);
    expect([...solveTriangular(make([2, 0, 3, 1]), make([5, 1]), 1, 2, 1, { transpose: true })]).toEqual([
      1, 1,
    ]);
  });

  it("leaves its inputs as they were", () => {
    const t = make([2, 0, 3, 4]);
    const b = make([1, 2]);
    solveTriangular(t, b, 1, 2, 1);
    expect([...t, ...b]).toEqual([2, 0, 3, 4, 1, 2]);
  });

  it("divides by zero as division does", () => {
    expect([...solveTriangular(make([0]), make([3]), 1, 1, 1)]).toEqual([Infinity]);
  });

  it("takes empty matrices, batches and right sides", () => {
    for (const [batch, n, columns] of [
      [0, 2, 2],
      [2, 0, 3],
      [2, 3, 0],
    ] as const) {
      const t = make(new Float64Array(batch * n * n).fill(1));
      expect(solveTriangular(t, make([]), batch, n, columns)).toHaveLength(0);
    }
  });
});
