import type { Floats } from "../dtype.js";
import { powerOfTwo64 } from "../math/float-bits.js";
import { emptyLike } from "./floats.js";
import { jacobiSweep } from "./jacobi-sweep.js";
import { orthonormalise } from "./orthonormalise.js";
import { dot, greatestMagnitude, normalise, scaleExponent } from "./vectors.js";

/** The thin singular value decompositions of a batch of matrices: A = U·diag(s)·Vᵀ, with k = min(m, n). */
export interface Svd<F extends Floats> {
  /** `[batch, m, k]`, with orthonormal columns. */
  readonly u: F;
  /** `[batch, k]`, in descending order. */
  readonly s: F;
  /** `[batch, n, k]`, with orthonormal columns. */
  readonly v: F;
}

const defaultSweeps = { float32: 10, float64: 14 };

/**
 * The singular value decomposition by one-sided Jacobi rotations (M. R. Hestenes, 1958): columns of A, or rows where
 * they are fewer, are rotated in pairs until they are orthogonal; their norms are the singular values and their
 * directions one of the bases. The other is the directions of Aᵀ·u_j, or A·v_j.
 *
 * At most `sweeps` passes over all pairs are made; a pass that rotates nothing would repeat itself and is the last.
 * Each matrix is first scaled by a power of two, so that squares neither overflow nor vanish. Both bases are made
 * orthonormal, also where singular values vanish (zero and rank-deficient matrices), see {@link orthonormalise}. In
 * each column of V the first entry of greatest magnitude is positive. A matrix with a non-finite entry gives NaN in all
 * three of its results.
 *
 * A − U·diag(s)·Vᵀ is rounding of the size of s_1, which leaves vectors of V (or U) as exact as s_1/s_j lets them be.
 *
 * Shapes: a `[batch, m, n]`; results as in {@link Svd}. Operations and their order are fixed: equal bits give equal
 * bits.
 */
export function jacobiSvd<F extends Floats>(
  a: F,
  batch: number,
  m: number,
  n: number,
  sweeps: number = a instanceof Float32Array ? defaultSweeps.float32 : defaultSweeps.float64,
): Svd<F> {
  const k = Math.min(m, n);
  const result = {
    u: emptyLike(a, batch * m * k),
    s: emptyLike(a, batch * k),
    v: emptyLike(a, batch * n * k),
  };
  if (k === 0) return result;
  const workspace = new Workspace(m, n, a instanceof Float32Array);
  for (let index = 0; index < batch; index++) decompose(a, result, index, workspace, sweeps);
  return result;
}

/** The singular values of {@link jacobiSvd} alone, to the same bits, in about half the time. `[batch, k]`. */
export function jacobiSingularValues<F extends Floats>(a: F, batch: number, m: number, n: number): F {
  const k = Math.min(m, n);
  const single = a instanceof Float32Array;
  const s = emptyLike(a, batch * k);
  const work = new Workspace(m, n, single);
  for (let index = 0; index < batch; index++) {
    const scale = orthogonalise(a, index, work, single ? defaultSweeps.float32 : defaultSweeps.float64);
    for (let j = 0; j < k; j++) s[index * k + j] = work.norms[j]! * scale;
  }
  return s;
}

/** What one decomposition works on, with `length` = max(m, n). */
class Workspace {
  readonly tall: boolean;
  readonly k: number;
  readonly length: number;
  /** The scaled columns of A (rows, where rows are fewer), `[k, length]`, and what the rotations make of them. */
  readonly columns: Float64Array;
  readonly original: Float64Array;
  /** The vectors of the other side, `[k, k]`. */
  readonly others: Float64Array;
  readonly norms: Float64Array;

  constructor(
    readonly m: number,
    readonly n: number,
    readonly single: boolean,
  ) {
    this.tall = m >= n;
    this.k = Math.min(m, n);
    this.length = Math.max(m, n);
    this.columns = new Float64Array(this.k * this.length);
    this.original = new Float64Array(this.k * this.length);
    this.others = new Float64Array(this.k * this.k);
    this.norms = new Float64Array(this.k);
  }
}

function decompose(
  a: Floats,
  { u, s, v }: Svd<Floats>,
  index: number,
  work: Workspace,
  sweeps: number,
): void {
  const { m, n, k, length, single, tall, columns, original, others, norms } = work;
  const scale = orthogonalise(a, index, work, sweeps);
  if (Number.isNaN(scale)) {
    u.fill(NaN, index * m * k, (index + 1) * m * k);
    s.fill(NaN, index * k, (index + 1) * k);
    v.fill(NaN, index * n * k, (index + 1) * n * k);
    return;
  }
  orthonormalise(columns, k, length, single);
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < k; i++) {
      others[j * k + i] = dot(original, i * length, columns, j * length, length, single);
    }
    normalise(others, j * k, k, single);
  }
  orthonormalise(others, k, k, single);
  for (let j = 0; j < k; j++) {
    s[index * k + j] = norms[j]! * scale;
    const isBackward = tall
      ? leadingIsNegative(others, j * k, k)
      : leadingIsNegative(columns, j * length, length);
    if (isBackward) {
      turnRound(columns, j * length, length);
      turnRound(others, j * k, k);
    }
  }
  store(tall ? columns : others, u, index * m * k, m, k);
  store(tall ? others : columns, v, index * n * k, n, k);
}

/**
 * Leaves the directions of the rotated columns of matrix `index` in the workspace and their norms, descending, in units of the
 * scale that is returned: NaN where the matrix is not finite.
 */
function orthogonalise(a: Floats, index: number, work: Workspace, sweeps: number): number {
  const { m, n, k, length, single, columns, norms } = work;
  const greatest = greatestMagnitude(a, index * m * n, m * n);
  if (!(greatest < Infinity)) return NaN;
  const exponent = scaleExponent(greatest, single);
  load(a, index * m * n, powerOfTwo64(-exponent), work);
  for (let sweep = 0; sweep < sweeps && jacobiSweep(columns, k, length, single); sweep++);
  for (let j = 0; j < k; j++) norms[j] = normalise(columns, j * length, length, single);
  sortDescending(columns, norms, length);
  return powerOfTwo64(exponent);
}

/** The scaled matrix, column by column; no entry is −0. */
function load(a: Floats, base: number, scale: number, work: Workspace): void {
  const { tall, n, k, length, single, columns, original } = work;
  const columnStep = tall ? 1 : n;
  const entryStep = tall ? n : 1;
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < length; i++) {
      const scaled = a[base + j * columnStep + i * entryStep]! * scale;
      columns[j * length + i] = (single ? Math.fround(scaled) : scaled) + 0;
    }
  }
  original.set(columns);
}

/** Writes k vectors as the columns of a `[count, k]` matrix. */
function store(vectors: Float64Array, out: Floats, base: number, count: number, k: number): void {
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < count; i++) out[base + i * k + j] = vectors[j * count + i]!;
  }
}

/** Sorts the columns by their norms, the greatest first; equal ones stay in place. Sweeps leave them all but sorted. */
function sortDescending(columns: Float64Array, norms: Float64Array, length: number): void {
  for (let j = 1; j < norms.length; j++) {
    for (let place = j; place > 0 && norms[place - 1]! < norms[place]!; place--) {
      exchange(norms, place - 1, place, 1);
      exchange(columns, (place - 1) * length, place * length, length);
    }
  }
}

function exchange(x: Float64Array, first: number, second: number, length: number): void {
  for (let i = 0; i < length; i++) {
    const kept = x[first + i]!;
    x[first + i] = x[second + i]!;
    x[second + i] = kept;
  }
}

function leadingIsNegative(x: Float64Array, start: number, length: number): boolean {
  let leading = 0;
  for (let i = start; i < start + length; i++) {
    if (Math.abs(x[i]!) > Math.abs(leading)) leading = x[i]!;
  }
  return leading < 0;
}

function turnRound(x: Float64Array, start: number, length: number): void {
  for (let i = start; i < start + length; i++) x[i] = 0 - x[i]!;
}
