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
    for (let i = k + 1; i < n; i++) {
      const entry = a[i * n + k]!;
      vector[i] = entry;
      squared += entry * entry;
    }
    const head = vector[k + 1]!;
    const length = head > 0 ? -Math.sqrt(squared) : Math.sqrt(squared);
    offDiagonal[k] = length;
    const half = length * (length - head);
    if (!(half > 0)) continue;
    vector[k + 1] = head - length;
    a[(k + 1) * n + k] = head - length;
    halves[k] = half;
    multiply(a, n, k + 1, vector, image);
    let along = 0;
    for (let i = k + 1; i < n; i++) {
      image[i] = image[i]! / half;
      along += image[i]! * vector[i]!;
    }
    for (let i = k + 1; i < n; i++) image[i] = image[i]! - (along / (2 * half)) * vector[i]!;
    subtractProducts(a, n, k + 1, vector, image);
  }
  diagonal[n - 1] = a[n * n - 1]!;
  return { diagonal, offDiagonal, reflections: a, halves };
}

/**
 * y ← A x from row and column `first` on, A symmetric and given by its lower triangle. Two rows at a time, of which the
 * upper one may be the first alone: an entry of A is read once, and what is added to a number, and in which order, is as if it
 * were one row after another.
 */
function multiply(a: Float64Array, n: number, first: number, x: Float64Array, y: Float64Array): void {
  y.fill(0, first);
  let i = first;
  if ((n - first) % 2 === 1) {
    y[i] = y[i]! + a[i * n + i]! * x[i]!;
    i++;
  }
  for (; i < n; i += 2) {
    const at = i * n;
    const below = at + n;
    const own = x[i]!;
    const ownBelow = x[i + 1]!;
    let sum = 0;
    let sumBelow = 0;
    for (let j = first; j < i; j++) {
      const entry = a[at + j]!;
      const entryBelow = a[below + j]!;
      const factor = x[j]!;
      sum += entry * factor;
      sumBelow += entryBelow * factor;
      y[j] = y[j]! + entry * own + entryBelow * ownBelow;
    }
    const corner = a[below + i]!;
    y[i] = y[i]! + sum + a[at + i]! * own + corner * ownBelow;
    y[i + 1] = y[i + 1]! + (sumBelow + corner * own) + a[below + i + 1]! * ownBelow;
  }
}

/** A ← A − x yᵀ − y xᵀ from row and column `first` on, in the lower triangle; two rows at a time as above. */
function subtractProducts(a: Float64Array, n: number, first: number, x: Float64Array, y: Float64Array): void {
  let i = first;
  if ((n - first) % 2 === 1) {
    a[i * n + i] = a[i * n + i]! - x[i]! * y[i]! - y[i]! * x[i]!;
    i++;
  }
  for (; i < n; i += 2) {
    const at = i * n;
    const below = at + n;
    const own = x[i]!;
    const ownImage = y[i]!;
    const ownBelow = x[i + 1]!;
    const imageBelow = y[i + 1]!;
    for (let j = first; j <= i; j++) {
      const factor = x[j]!;
      const image = y[j]!;
      a[at + j] = a[at + j]! - own * image - ownImage * factor;
      a[below + j] = a[below + j]! - ownBelow * image - imageBelow * factor;
    }
    const corner = below + i + 1;
    a[corner] = a[corner]! - ownBelow * imageBelow - imageBelow * ownBelow;
  }
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
