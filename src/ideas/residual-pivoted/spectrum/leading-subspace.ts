import type { Generator } from "../../../random/index.js";
import { dot, normalise } from "../../../tensor/linalg/vectors.js";
import { tridiagonalEigenvalues } from "./symmetric-eigenvalues.js";
import { applyReflections, tridiagonal } from "./tridiagonal.js";

/** Solutions of (T − θI)x' = x for one eigenvector: the first is nearly one, and close eigenvalues need the others. */
const iterations = 3;

/**
 * Shifts differ by at least this share of the largest eigenvalue: at the very eigenvalue of vectors that were found before,
 * what rounding left of these would grow so far above the rest of their space that taking it away leaves nothing but noise.
 */
const apart = 10 * 2 ** -52;

/**
 * An orthonormal basis of the space of the `rank` leading right singular vectors of A `[rows, columns]`, as rows
 * `[rank, columns]`, rank ≤ columns: the leading eigenvectors of AᵀA, by reduction to a tridiagonal matrix and inverse
 * iteration on it from vectors drawn from `rng`. ‖A − A V_rᵀ V_r‖² is above that of the best V_r by rounding only, of order
 * columns · 2⁻⁵³ · ‖A‖², also where singular values coincide or vanish.
 *
 * E_NUMERIC when A is not finite. Source: Golub and Van Loan, Matrix Computations (4th ed.), §8.3 and §8.2.2.
 */
export function leadingSubspace(
  a: Float64Array,
  rows: number,
  columns: number,
  rank: number,
  rng: Generator,
): Float64Array {
  const reduced = tridiagonal(gram(a, rows, columns), columns);
  const values = tridiagonalEigenvalues(reduced.diagonal.slice(), reduced.offDiagonal.slice());
  const vectors = new Float64Array(rank * columns);
  const least = apart * Math.max(...values.map(Math.abs));
  let shift = Infinity;
  for (let t = 0; t < rank; t++) {
    const at = t * columns;
    shift = Math.min(values[t]!, shift - least);
    vectors.set(rng.normals(columns), at);
    orthonormaliseLast(vectors, at, columns);
    for (let iteration = 0; iteration < iterations; iteration++) {
      solveShifted(reduced, shift, vectors.subarray(at, at + columns));
      orthonormaliseLast(vectors, at, columns);
    }
  }
  for (let t = 0; t < rank; t++) applyReflections(reduced, vectors.subarray(t * columns, (t + 1) * columns));
  return vectors;
}

/** AᵀA, `[columns, columns]`; the lower triangle only. */
function gram(a: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(columns * columns);
  for (let row = 0; row < rows; row++) {
    const from = row * columns;
    for (let i = 0; i < columns; i++) {
      const factor = a[from + i]!;
      if (factor === 0) continue;
      for (let j = 0; j <= i; j++) out[i * columns + j] = out[i * columns + j]! + factor * a[from + j]!;
    }
  }
  return out;
}

/** Frees the vector at `at` of the rows before it, twice, and normalises it. */
function orthonormaliseLast(vectors: Float64Array, at: number, length: number): void {
  for (let pass = 0; pass < 2; pass++) {
    for (let earlier = 0; earlier < at; earlier += length) {
      const along = dot(vectors, at, vectors, earlier, length, false);
      for (let i = 0; i < length; i++) vectors[at + i] = vectors[at + i]! - along * vectors[earlier + i]!;
    }
    normalise(vectors, at, length, false);
  }
}

/**
 * x ← (T − θI)⁻¹x by elimination with row exchanges; a pivot that vanishes, as one does for an eigenvalue θ, counts as
 * the unit roundoff of T, which is what makes x an eigenvector.
 */
function solveShifted(
  { diagonal, offDiagonal }: { readonly diagonal: Float64Array; readonly offDiagonal: Float64Array },
  shift: number,
  x: Float64Array,
): void {
  const n = x.length;
  let scale = Number.MIN_VALUE;
  for (let i = 0; i < n; i++) scale = Math.max(scale, Math.abs(diagonal[i]!) + Math.abs(offDiagonal[i]!));
  const least = Math.max(scale * 2 ** -53, 2 ** -1000);
  const [main, first, second] = [diagonal.map((d) => d - shift), offDiagonal.slice(), new Float64Array(n)];
  for (let i = 0; i < n - 1; i++) {
    let below = offDiagonal[i]!;
    if (Math.abs(below) > Math.abs(main[i]!)) {
      [below, main[i]] = [main[i]!, below];
      [first[i], main[i + 1]] = [main[i + 1]!, first[i]!];
      [second[i], first[i + 1]] = [first[i + 1]!, 0];
      [x[i], x[i + 1]] = [x[i + 1]!, x[i]!];
    }
    if (Math.abs(main[i]!) < least) main[i] = least;
    const factor = below / main[i]!;
    main[i + 1] = main[i + 1]! - factor * first[i]!;
    first[i + 1] = first[i + 1]! - factor * second[i]!;
    x[i + 1] = x[i + 1]! - factor * x[i]!;
  }
  if (n > 0 && Math.abs(main[n - 1]!) < least) main[n - 1] = least;
  for (let i = n - 1; i >= 0; i--) {
    let rest = x[i]!;
    if (i + 1 < n) rest -= first[i]! * x[i + 1]!;
    if (i + 2 < n) rest -= second[i]! * x[i + 2]!;
    x[i] = rest / main[i]!;
  }
}
