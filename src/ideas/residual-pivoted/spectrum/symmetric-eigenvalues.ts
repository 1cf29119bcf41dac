import { fail } from "../../../errors/index.js";
import { tridiagonal } from "./tridiagonal.js";

/** Sweeps that an eigenvalue may take; two or three are usual. */
const sweepLimit = 60;

/**
 * The eigenvalues of a symmetric matrix `[n, n]`, largest first: Householder reduction to tridiagonal form, then the
 * implicitly shifted QL iteration, in float64. The matrix is not changed. Errors are of order n · 2⁻⁵³ · ‖A‖.
 *
 * E_NUMERIC when it does not converge, which happens only for a matrix that is not finite.
 *
 * Source: Golub and Van Loan, Matrix Computations (4th ed.), §8.3.
 */
export function symmetricEigenvalues(matrix: Float64Array, n: number): Float64Array {
  const { diagonal, offDiagonal } = tridiagonal(matrix.slice(), n);
  return tridiagonalEigenvalues(diagonal, offDiagonal);
}

/** The eigenvalues of a symmetric tridiagonal matrix, largest first; both arrays are overwritten. Throws as above. */
export function tridiagonalEigenvalues(diagonal: Float64Array, offDiagonal: Float64Array): Float64Array {
  const n = diagonal.length;
  let norm = 0;
  for (let i = 0; i < n; i++) norm = Math.max(norm, Math.abs(diagonal[i]!) + Math.abs(offDiagonal[i]!));
  // Sweeps leave rounding of a few units of this size everywhere, so beside small entries nothing smaller can be waited for.
  const negligible = 8 * 2 ** -53 * norm;
  for (let first = 0; first < n; first++) {
    for (let sweeps = 0; ; sweeps++) {
      const last = blockEnd(diagonal, offDiagonal, first, negligible);
      if (last === first) break;
      if (sweeps === sweepLimit) {
        fail(
          "E_NUMERIC",
          `symmetricEigenvalues: expected a finite symmetric matrix, eigenvalue ${first} did not converge`,
        );
      }
      sweep(diagonal, offDiagonal, first, last);
    }
  }
  return diagonal.sort().reverse();
}

/** The last row of the unreduced block that starts at `first`. */
function blockEnd(
  diagonal: Float64Array,
  offDiagonal: Float64Array,
  first: number,
  negligible: number,
): number {
  let last = first;
  while (last < diagonal.length - 1 && !(Math.abs(offDiagonal[last]!) <= negligible)) last++;
  return last;
}

/** One QL sweep over rows first…last with Wilkinson's shift, by plane rotations from the bottom up. */
function sweep(diagonal: Float64Array, offDiagonal: Float64Array, first: number, last: number): void {
  const gap = (diagonal[first + 1]! - diagonal[first]!) / (2 * offDiagonal[first]!);
  const length = hypotenuse(gap, 1);
  const shift = diagonal[first]! - offDiagonal[first]! / (gap + (gap < 0 ? -length : length));
  let lead = diagonal[last]! - shift;
  let sine = 1;
  let cosine = 1;
  let carried = 0;
  for (let i = last - 1; i >= first; i--) {
    const bulge = sine * offDiagonal[i]!;
    const off = cosine * offDiagonal[i]!;
    const radius = hypotenuse(bulge, lead);
    offDiagonal[i + 1] = radius;
    if (radius === 0) {
      diagonal[i + 1] = diagonal[i + 1]! - carried;
      offDiagonal[last] = 0;
      return;
    }
    sine = bulge / radius;
    cosine = lead / radius;
    const base = diagonal[i + 1]! - carried;
    const turned = (diagonal[i]! - base) * sine + 2 * cosine * off;
    carried = sine * turned;
    diagonal[i + 1] = base + carried;
    lead = cosine * turned - off;
  }
  diagonal[first] = diagonal[first]! - carried;
  offDiagonal[first] = lead;
  offDiagonal[last] = 0;
}

/** √(a² + b²) without overflow or underflow of the squares, of exactly rounded operations, which `Math.hypot` need not be. */
function hypotenuse(a: number, b: number): number {
  const largest = Math.max(Math.abs(a), Math.abs(b));
  if (largest === 0) return 0;
  const x = a / largest;
  const y = b / largest;
  return Math.sqrt(x * x + y * y) * largest;
}
