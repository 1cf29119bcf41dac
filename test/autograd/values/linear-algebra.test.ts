import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cholesky,
  eye,
  grad,
  matmul,
  solveTriangular,
  svd,
  tensor,
  zeros,
  type Tensor,
} from "../../../src/autograd/index.js";
import { tensors } from "../arbitraries.js";
import { largest } from "../../../src/testing/index.js";

const sizes = fc.tuple(fc.constantFrom([], [2], [0], [2, 2]), fc.nat(4), fc.nat(4));
const far = (a: Tensor, b: Tensor): number => {
  expect(a.shape).toEqual(b.shape);
  return largest(a.sub(b).values());
};

describe("factorisations of stacks of matrices", () => {
  test("cholesky gives the lower factor", () => {
    fc.assert(
      fc.property(
        sizes.chain(([stack, n]) => tensors([...stack, n, n])),
        (x) => {
          const n = x.shape[x.rank - 1]!;
          const a = matmul(x, x, { transposeB: true }).add(eye(n, n, { dtype: "float64" }));
          const l = cholesky(a);
          expect(far(matmul(l, l, { transposeB: true }), a)).toBeLessThan(1e-12);
          expect(far(l.tril(), l)).toBe(0);
          expect(far(cholesky(a.tril()), l)).toBe(0);
        },
      ),
    );
  });

  test("the gradient of cholesky is symmetric, as its input", () => {
    const matrices = sizes.chain(([stack, n]) =>
      fc.tuple(tensors([...stack, n, n]), tensors([...stack, n, n])),
    );
    fc.assert(
      fc.property(matrices, ([x, weights]) => {
        const n = x.shape[x.rank - 1]!;
        const a = matmul(x, x, { transposeB: true }).add(eye(n, n, { dtype: "float64" }));
        const gradient = grad((input: Tensor) => cholesky(input).mul(weights).sum())(a);
        expect(far(gradient, gradient.transpose())).toBe(0);
      }),
    );
  });

  test("solveTriangular solves with either triangle, transposed or not", () => {
    const systems = sizes.chain(([stack, n, columns]) =>
      fc.tuple(tensors([...stack, n, n]), tensors([...stack, n, columns]), fc.boolean(), fc.boolean()),
    );
    fc.assert(
      fc.property(systems, ([drawn, b, upper, transpose]) => {
        const n = drawn.shape[drawn.rank - 1]!;
        const t = drawn.mul(0.2).add(eye(n, n, { dtype: "float64" }).mul(2));
        const x = solveTriangular(t, b, { upper, transpose });
        const triangle = upper ? t.triu() : t.tril();
        expect(far(matmul(triangle, x, { transposeA: transpose }), b)).toBeLessThan(1e-12);
      }),
    );
  });

  test("svd gives orthonormal factors with falling singular values", () => {
    fc.assert(
      fc.property(
        sizes.chain(([stack, m, n]) => tensors([...stack, m, n])),
        (a) => {
          const [m, n] = a.shape.slice(-2) as [number, number];
          const k = Math.min(m, n);
          const { u, s, v } = svd(a);
          expect(far(matmul(u.mul(s.unsqueeze(-2)), v, { transposeB: true }), a)).toBeLessThan(1e-12);
          const unit = eye(k, k, { dtype: "float64" }).expand([...a.shape.slice(0, -2), k, k]);
          expect(far(matmul(u, u, { transposeA: true }), unit)).toBeLessThan(1e-12);
          expect(far(matmul(v, v, { transposeA: true }), unit)).toBeLessThan(1e-12);
          if (k > 1) {
            const drops = s
              .slice([...a.shape.slice(0, -2).map(() => null), [0, k - 1]])
              .sub(s.slice([...a.shape.slice(0, -2).map(() => null), [1, k]]));
            expect(drops.values().every((drop) => drop >= 0)).toBe(true);
          }
        },
      ),
    );
    expect(svd(zeros([2, 3])).s.toArray()).toEqual([0, 0]);
    expect(svd(tensor([[NaN, 1]])).s.toArray()).toEqual([NaN]);
  });
});
