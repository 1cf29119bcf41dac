import { fail } from "../../errors/index.js";
import type { Floats } from "../dtype.js";
import { emptyLike } from "./floats.js";

/**
 * The lower Cholesky factor L of each symmetric positive definite matrix: A = L·Lᵀ, L with a positive diagonal and
 * zeros above it. Only the lower triangle of A is read.
 *
 *   L_jj = √(A_jj − Σ_{p<j} L_jp²),   L_ij = (A_ij − Σ_{p<j} L_ip L_jp) / L_jj  for i > j,
 *
 * the terms subtracted one after the other in ascending p.
 *
 * Shapes: a `[batch, n, n]`, result `[batch, n, n]`. Fails with E_NUMERIC, naming matrix and pivot, where the number
 * under a root is not positive and finite.
 */
export function cholesky<F extends Floats>(a: F, batch: number, n: number): F {
  const single = a instanceof Float32Array;
  const factor = emptyLike(a, batch * n * n);
  for (let index = 0; index < batch; index++) factorise(a, factor, index, n, single);
  return factor;
}

function factorise(a: Floats, l: Floats, index: number, n: number, single: boolean): void {
  const base = index * n * n;
  for (let i = 0; i < n; i++) {
    const row = base + i * n;
    for (let j = 0; j <= i; j++) {
      const other = base + j * n;
      let rest = a[row + j]!;
      for (let p = 0; p < j; p++) {
        const product = l[row + p]! * l[other + p]!;
        const difference = rest - (single ? Math.fround(product) : product);
        rest = single ? Math.fround(difference) : difference;
      }
      if (j < i) {
        l[row + j] = rest / l[other + j]!;
      } else {
        if (!(rest > 0 && rest < Infinity)) failPivot(index, i, n, rest);
        l[row + j] = Math.sqrt(rest);
      }
    }
  }
}

function failPivot(index: number, pivot: number, n: number, value: number): never {
  fail(
    "E_NUMERIC",
    `cholesky expects symmetric positive definite matrices; pivot ${pivot} of the ${n}×${n} matrix ${index} of the ` +
      `batch is ${value}. Add a small multiple of the identity, or check where the matrix comes from.`,
  );
}
