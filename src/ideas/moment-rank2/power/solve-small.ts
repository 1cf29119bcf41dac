/** A pivot below this share of the largest entry of its system: the system is singular but for rounding. */
const leastPivot = 1e-10;

/**
 * Solves A x = b for a small dense matrix by elimination with partial pivoting: x takes the place of b. False, with a and b
 * spoilt, where A is singular but for rounding.
 *
 * Shapes: a `[n, n]`, b `[n]`; both are overwritten.
 */
export function solveSmall(a: Float64Array, b: Float64Array, n: number): boolean {
  const largest = a.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]!) > Math.abs(a[pivot * n + k]!)) pivot = i;
    if (!(Math.abs(a[pivot * n + k]!) > leastPivot * largest)) return false;
    for (let j = 0; j < n; j++) swap(a, k * n + j, pivot * n + j);
    swap(b, k, pivot);
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k]! / a[k * n + k]!;
      for (let j = k; j < n; j++) a[i * n + j]! -= factor * a[k * n + j]!;
      b[i]! -= factor * b[k]!;
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) b[k]! -= a[k * n + j]! * b[j]!;
    b[k]! /= a[k * n + k]!;
  }
  return true;
}

function swap(x: Float64Array, i: number, j: number): void {
  const held = x[i]!;
  x[i] = x[j]!;
  x[j] = held;
}
