import type { Floats } from "../dtype.js";
import { powerOfTwo64 } from "../math/float-bits.js";
import { emptyLike } from "./floats.js";
import { jacobiSweep } from "./jacobi-sweep.js";
import { orthonormalise } from "./orthonormalise.js";
import { greatestMagnitude, normalise, scaleExponent } from "./vectors.js";

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
 * they are fewer, are rotated in pairs until they are orthogonal; their norms are the singular values.
 *
 * At most `sweeps` passes over all pairs are made; a pass that rotates nothing would repeat itself and is the last.
 * Each matrix is first scaled by a power of two, so that squares neither overflow nor vanish. Afterwards both bases
 * are made orthonormal, also where singular values vanish (zero and rank-deficient matrices), see
 * {@link orthonormalise}. In each column of V the first entry of greatest magnitude is positive. A matrix with a
 * non-finite entry gives NaN in all three of its results.
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

/**
 * What one decomposition works on: k columns of `stride` entries, one after the other. Each holds `length` entries of
 * a column of A (a row, where rows are fewer), then a column of the product of the rotations, k entries.
 */
class Workspace {
  readonly tall: boolean;
  readonly k: number;
  readonly length: number;
  readonly stride: number;
  readonly columns: Float64Array;
  readonly norms: Float64Array;
  readonly order: Int32Array;

  constructor(
    readonly m: number,
    readonly n: number,
    readonly single: boolean,
  ) {
    this.tall = m >= n;
    this.k = Math.min(m, n);
    this.length = Math.max(m, n);
    this.stride = this.length + this.k;
    this.columns = new Float64Array(this.k * this.stride);
    this.norms = new Float64Array(this.k);
    this.order = new Int32Array(this.k);
  }
}

function decompose(
  a: Floats,
  { u, s, v }: Svd<Floats>,
  index: number,
  work: Workspace,
  sweeps: number,
): void {
  const { m, n, k, length, stride, single, tall, columns, norms, order } = work;
  const greatest = greatestMagnitude(a, index * m * n, m * n);
  if (!(greatest < Infinity)) {
    u.fill(NaN, index * m * k, (index + 1) * m * k);
    s.fill(NaN, index * k, (index + 1) * k);
    v.fill(NaN, index * n * k, (index + 1) * n * k);
    return;
  }
  const exponent = scaleExponent(greatest, single);
  load(a, index * m * n, powerOfTwo64(-exponent), work);
  for (let sweep = 0; sweep < sweeps && jacobiSweep(columns, k, length, stride, single); sweep++);
  for (let j = 0; j < k; j++) norms[j] = normalise(columns, j * stride, length, single);
  sortDescending(norms, order);
  const scale = powerOfTwo64(exponent);
  for (let j = 0; j < k; j++) s[index * k + j] = norms[order[j]!]! * scale;
  orthonormalise(columns, order, 0, length, stride, single);
  orthonormalise(columns, order, length, k, stride, single);
  for (let start = 0; start < columns.length; start += stride) {
    if (tall ? leadingIsNegative(columns, start + length, k) : leadingIsNegative(columns, start, length)) {
      for (let i = start; i < start + stride; i++) columns[i] = 0 - columns[i]!;
    }
  }
  store(work, tall ? 0 : length, u, index * m * k, m);
  store(work, tall ? length : 0, v, index * n * k, n);
}

function load(
  a: Floats,
  base: number,
  scale: number,
  { tall, n, k, length, stride, columns }: Workspace,
): void {
  const columnStep = tall ? 1 : n;
  const entryStep = tall ? n : 1;
  for (let j = 0; j < k; j++) {
    const start = j * stride;
    for (let i = 0; i < length; i++) columns[start + i] = a[base + j * columnStep + i * entryStep]! * scale;
    for (let i = 0; i < k; i++) columns[start + length + i] = i === j ? 1 : 0;
  }
}

/** Writes entries of the workspace's columns, from `offset` in each, as the columns of a `[count, k]` matrix. */
function store(
  { columns, order, stride, k }: Workspace,
  offset: number,
  out: Floats,
  base: number,
  count: number,
) {
  for (let j = 0; j < k; j++) {
    const start = order[j]! * stride + offset;
    for (let i = 0; i < count; i++) out[base + i * k + j] = columns[start + i]!;
  }
}

/** Fills `order` with the indices of the values from the greatest to the least; equal ones stay in place. */
function sortDescending(values: Float64Array, order: Int32Array): void {
  for (let j = 0; j < order.length; j++) {
    let place = j;
    for (; place > 0 && values[order[place - 1]!]! < values[j]!; place--) order[place] = order[place - 1]!;
    order[place] = j;
  }
}

function leadingIsNegative(x: Float64Array, start: number, length: number): boolean {
  let leading = 0;
  for (let i = start; i < start + length; i++) {
    if (Math.abs(x[i]!) > Math.abs(leading)) leading = x[i]!;
  }
  return leading < 0;
}
