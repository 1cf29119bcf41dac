import fc from "fast-check";
import { expect, test } from "vitest";
import { randomPsdMatrix } from "../../../../src/ideas/residual-pivoted/evidence/kernel-checks.js";
import { symmetricEigenvalues } from "../../../../src/ideas/residual-pivoted/spectrum/symmetric-eigenvalues.js";
import { generator } from "../../../../src/random/index.js";
import { jacobiSvd } from "../../../../src/tensor/linalg/index.js";
import { generators } from "../arbitraries.js";

test("of the second difference: 2 − 2 cos(kπ/(n+1))", () => {
  for (const n of [1, 2, 3, 10, 40]) {
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      matrix[i * n + i] = 2;
      if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
    }
    const wanted = Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos(((n - k) * Math.PI) / (n + 1)));
    symmetricEigenvalues(matrix, n).forEach((value, k) => expect(value).toBeCloseTo(wanted[k]!, 12));
  }
});

test("of diagonal, zero and rank-one matrices", () => {
  expect([...symmetricEigenvalues(Float64Array.of(3, 0, 0, 0, -1, 0, 0, 0, 5), 3)]).toEqual([5, 3, -1]);
  expect([...symmetricEigenvalues(new Float64Array(16), 4)]).toEqual([0, 0, 0, 0]);
  const [first, ...rest] = symmetricEigenvalues(new Float64Array(64).fill(1), 8);
  expect(first).toBeCloseTo(8, 12);
  for (const value of rest) expect(Math.abs(value)).toBeLessThan(1e-14);
});

test("are the singular values of a positive semidefinite matrix", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      generators,
      (n, rank, rng) => {
        const matrix = randomPsdMatrix(n, rank, rng);
        const before = matrix.slice();
        const { s } = jacobiSvd(matrix, 1, n, n);
        symmetricEigenvalues(matrix, n).forEach((value, k) => {
          expect(Math.abs(value - s[k]!)).toBeLessThanOrEqual(1e-12 * s[0]!);
        });
        expect(matrix).toEqual(before);
      },
    ),
  );
});

test("have the trace and the Frobenius norm of the matrix, indefinite ones too", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(), (n, seed) => {
      const rng = generator(seed);
      const matrix = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j <= i; j++) matrix[i * n + j] = matrix[j * n + i] = rng.normal();
      const values = symmetricEigenvalues(matrix, n);
      const trace = Array.from({ length: n }, (_, i) => matrix[i * n + i]!).reduce((a, b) => a + b, 0);
      const squares = (list: ArrayLike<number>): number =>
        Array.from(list).reduce((sum, value) => sum + value ** 2, 0);
      expect(values.reduce((a, b) => a + b, 0)).toBeCloseTo(trace, 11);
      expect(squares(values) / squares(matrix)).toBeCloseTo(1, 12);
      expect([...values].sort((a, b) => b - a)).toEqual([...values]);
    }),
  );
});

test("a matrix that is not finite is an error, not an endless loop", () => {
  expect(() => symmetricEigenvalues(new Float64Array(9).fill(NaN), 3)).toThrow("E_NUMERIC");
});

test("of a matrix with one large eigenvalue among rounding dust: near-uniform attention, whose rows nearly repeat", () => {
  const n = 64;
  for (const size of [1e-4, 1e-6, 1e-7]) {
    const rng = generator(3).stream(String(size));
    const [left, right] = [rng.normals(n * 8), rng.normals(n * 8)];
    const a = Float64Array.from({ length: n * n }, (_, at) => {
      let score = 0;
      for (let c = 0; c < 8; c++) score += left[Math.floor(at / n) * 8 + c]! * right[(at % n) * 8 + c]!;
      return Math.fround(Math.exp(size * score) / n);
    });
    const gram = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        for (let row = 0; row < n; row++) gram[i * n + j]! += a[row * n + i]! * a[row * n + j]!;
      }
    }
    const values = symmetricEigenvalues(gram, n);
    const { s } = jacobiSvd(a, 1, n, n);
    values.forEach((value, t) => expect(Math.abs(value - s[t]! ** 2)).toBeLessThan(n * 2 ** -53));
  }
});
