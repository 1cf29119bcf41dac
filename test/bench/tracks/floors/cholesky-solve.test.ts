import fc from "fast-check";
import { expect, test } from "vitest";
import { solvePositiveDefinite } from "../../../../src/bench/tracks/floors/cholesky-solve.js";

const size = 5;
const entries = (count: number) =>
  fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: count, maxLength: count });

test("A X = B", () => {
  fc.assert(
    fc.property(entries(size * size), entries(size * 2), (root, right) => {
      const a = new Float64Array(size * size);
      for (let i = 0; i < size; i++) {
        for (let j = 0; j < size; j++) {
          for (let k = 0; k < size; k++) a[i * size + j] += root[i * size + k] * root[j * size + k];
          if (i === j) a[i * size + j] += 0.5;
        }
      }
      const x = solvePositiveDefinite(a, Float64Array.from(right), size, 2);
      for (let i = 0; i < size; i++) {
        for (let column = 0; column < 2; column++) {
          let value = 0;
          for (let k = 0; k < size; k++) value += a[i * size + k] * x[2 * k + column];
          expect(value).toBeCloseTo(right[2 * i + column], 9);
        }
      }
    }),
  );
});

test("refuses an indefinite matrix", () => {
  expect(() => solvePositiveDefinite(Float64Array.of(1, 2, 2, 1), Float64Array.of(1, 1), 2, 1)).toThrow(
    /E_NUMERIC.*pivot 1 of 2 is -3/,
  );
});
