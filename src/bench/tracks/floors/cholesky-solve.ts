import { fail } from "../../../errors/index.js";

/**
 * Replaces the lower triangle of a symmetric positive definite matrix by its Cholesky factor L, A = L Lᵀ.
 *
 * @param a `[size, size]`, row-major; the upper triangle is not read
 * @throws E_NUMERIC when a pivot is not positive
 */
function factorInPlace(a: Float64Array, size: number): void {
  for (let j = 0; j < size; j++) {
    for (let i = j; i < size; i++) {
      let value = a[i * size + j];
      for (let k = 0; k < j; k++) value -= a[i * size + k] * a[j * size + k];
      if (i > j) a[i * size + j] = value / a[j * size + j];
      else if (value > 0) a[j * size + j] = Math.sqrt(value);
      else fail("E_NUMERIC", `expected a positive definite matrix; pivot ${j} of ${size} is ${value}`);
    }
  }
}

/**
 * Solves A X = B for a symmetric positive definite A by a Cholesky factorisation in float64.
 *
 * @param a `[size, size]`, row-major
 * @param b `[size, columns]`, row-major
 * @returns X, `[size, columns]`
 * @throws E_NUMERIC when A is not positive definite
 */
export function solvePositiveDefinite(
  a: Float64Array,
  b: Float64Array,
  size: number,
  columns: number,
): Float64Array {
  const factor = a.slice();
  factorInPlace(factor, size);
  const x = b.slice();
  const subtract = (to: number, from: number, scale: number): void => {
    for (let c = 0; c < columns; c++) x[to * columns + c] -= scale * x[from * columns + c];
  };
  const divide = (row: number): void => {
    const pivot = factor[row * size + row];
    for (let c = 0; c < columns; c++) x[row * columns + c] /= pivot;
  };
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) subtract(i, k, factor[i * size + k]);
    divide(i);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) subtract(i, k, factor[k * size + i]);
    divide(i);
  }
  return x;
}
