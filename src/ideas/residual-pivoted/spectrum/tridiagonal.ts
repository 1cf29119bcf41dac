/** T of A = Q T Qᵀ, and what Q is made of. */
export interface Tridiagonal {
  /** `[n]` */
  readonly diagonal: Float64Array;
  /** `[n]`, the last one 0. */
  readonly offDiagonal: Float64Array;
  /** The vectors w_k of the reflections I − w_k w_kᵀ/halves_k, in the columns below the diagonal: `[n, n]`. */
  readonly reflections: Float64Array;
  /** `[n]`; 0 where there is no reflection. */
  readonly halves: Float64Array;
}

/**
 * A = Q T Qᵀ with T tridiagonal, by reflections of one column after another. Reads and overwrites the lower triangle
 * of `a`, which keeps the reflections.
 *
 * Source: Golub and Van Loan, Matrix Computations (4th ed.), §8.3.1.
 */
export function tridiagonal(a: Float64Array, n: number): Tridiagonal {
  const diagonal = new Float64Array(n);
  const offDiagonal = new Float64Array(n);
  const vector = new Float64Array(n);
  const image = new Float64Array(n);
  const halves = new Float64Array(n);
  for (let k = 0; k < n - 1; k++) {
    diagonal[k] = a[k * n + k]!;
    let squared = 0;
    for (let i = k + 1; i < n; i++) squared += a[i * n + k]! ** 2;
    const head = a[(k + 1) * n + k]!;
    const length = head > 0 ? -Math.sqrt(squared) : Math.sqrt(squared);
    offDiagonal[k] = length;
    const half = length * (length - head);
    if (!(half > 0)) continue;
    for (let i = k + 1; i < n; i++) vector[i] = a[i * n + k]!;
    vector[k + 1] = head - length;
    a[(k + 1) * n + k] = head - length;
    halves[k] = half;
    let along = 0;
    image.fill(0, k + 1);
    for (let i = k + 1; i < n; i++) {
      const at = i * n;
      const own = vector[i]!;
      let sum = 0;
      for (let j = k + 1; j < i; j++) {
        const entry = a[at + j]!;
        sum += entry * vector[j]!;
        image[j] = image[j]! + entry * own;
      }
      image[i] = image[i]! + sum + a[at + i]! * own;
    }
    for (let i = k + 1; i < n; i++) {
      image[i] = image[i]! / half;
      along += image[i]! * vector[i]!;
    }
    for (let i = k + 1; i < n; i++) image[i] = image[i]! - (along / (2 * half)) * vector[i]!;
    for (let i = k + 1; i < n; i++) {
      const [at, own, ownImage] = [i * n, vector[i]!, image[i]!];
      for (let j = k + 1; j <= i; j++) a[at + j] = a[at + j]! - own * image[j]! - ownImage * vector[j]!;
    }
  }
  diagonal[n - 1] = a[n * n - 1]!;
  return { diagonal, offDiagonal, reflections: a, halves };
}

/** Q x in place, x `[n]`. */
export function applyReflections({ reflections, halves }: Tridiagonal, x: Float64Array): void {
  const n = x.length;
  for (let k = n - 2; k >= 0; k--) {
    if (!(halves[k]! > 0)) continue;
    let along = 0;
    for (let i = k + 1; i < n; i++) along += reflections[i * n + k]! * x[i]!;
    along /= halves[k]!;
    for (let i = k + 1; i < n; i++) x[i] = x[i]! - along * reflections[i * n + k]!;
  }
}
