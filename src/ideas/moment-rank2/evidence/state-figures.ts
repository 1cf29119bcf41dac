import type { Tensor } from "../../../autograd/index.js";
import type { Floats } from "../../../tensor/index.js";
import { jacobiSingularValues } from "../../../tensor/linalg/index.js";
import type { MomentProjector } from "../moment-projector.js";

/** Singular values below this share of the largest are rounding, not rank. */
const rankTolerance = 1e-5;

/** Matrices that are decomposed before it is asked whether one has full rank. */
const decomposed = 16;

/** max |⟨E_k, S∘(A − B)⟩| over the batch and the moments, measured in float64: A and B `[…, rows, columns]`. */
export function momentDrift(projector: MomentProjector, a: Tensor, b: Tensor): number {
  const moments = momentsOf(projector, a, b);
  let drift = 0;
  for (let at = 0; at < moments.length; at++) drift = Math.max(drift, Math.abs(moments[at]!));
  return drift;
}

/** ‖A − B‖² of each matrix, ‖A‖² without B, in float64: `[…, rows, columns]` → a flat list. */
export function squaredNorms(a: Tensor, b?: Tensor): Float64Array {
  const size = a.shape.at(-2)! * a.shape.at(-1)!;
  const difference = new Float64Array(size);
  const norms = new Float64Array(a.size / size);
  for (let matrix = 0; matrix < norms.length; matrix++) {
    load(a.array.data as Floats, b?.array.data as Floats | undefined, matrix * size, difference);
    let norm = 0;
    for (let i = 0; i < size; i++) norm += difference[i]! * difference[i]!;
    norms[matrix] = norm;
  }
  return norms;
}

/** ‖P(A − B)‖² of each matrix, ‖P(A)‖² without B, in float64. */
export function squaredProjections(projector: MomentProjector, a: Tensor, b?: Tensor): Float64Array {
  const { count, elements, scale, rows, columns } = projector.basis;
  const size = rows * columns;
  const moments = momentsOf(projector, a, b);
  const norms = new Float64Array(moments.length / count);
  for (let matrix = 0; matrix < norms.length; matrix++) {
    let norm = 0;
    for (let i = 0; i < size; i++) {
      let entry = 0;
      for (let k = 0; k < count; k++) entry += moments[matrix * count + k]! * elements[k * size + i]!;
      if (scale) entry /= scale[i]!;
      norm += entry * entry;
    }
    norms[matrix] = norm;
  }
  return norms;
}

/** Entries of A − B in float64 from `from` on, of A without B, as many as `out` holds: A and B stay where they are. */
function load(a: Floats, b: Floats | undefined, from: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = a[from + i]!;
  if (b) for (let i = 0; i < out.length; i++) out[i] = out[i]! - b[from + i]!;
}

/**
 * ⟨E_k, S∘(A − B)⟩, `[batch, count]`: four matrices at a time, since the additions of one sum wait for one another. The last
 * four are the last matrix more than once where fewer are left.
 */
function momentsOf({ basis }: MomentProjector, a: Tensor, b: Tensor | undefined): Float64Array {
  const { count, elements, scale, rows, columns } = basis;
  const size = rows * columns;
  const weighed = scale ? elements.map((element, at) => element * scale[at % size]!) : elements;
  const moments = new Float64Array((a.size / size) * count);
  const last = a.size / size - 1;
  const four = Array.from({ length: 4 }, () => new Float64Array(size));
  const [x0, x1, x2, x3] = four as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let first = 0; first <= last; first += 4) {
    for (let lane = 0; lane < 4; lane++) {
      const from = Math.min(first + lane, last) * size;
      load(a.array.data as Floats, b?.array.data as Floats | undefined, from, four[lane]!);
    }
    for (let k = 0; k < count; k++) {
      let moment0 = 0;
      let moment1 = 0;
      let moment2 = 0;
      let moment3 = 0;
      for (let i = 0; i < size; i++) {
        const element = weighed[k * size + i]!;
        moment0 += element * x0[i]!;
        moment1 += element * x1[i]!;
        moment2 += element * x2[i]!;
        moment3 += element * x3[i]!;
      }
      moments[first * count + k] = moment0;
      moments[Math.min(first + 1, last) * count + k] = moment1;
      moments[Math.min(first + 2, last) * count + k] = moment2;
      moments[Math.min(first + 3, last) * count + k] = moment3;
    }
  }
  return moments;
}

/**
 * The largest number of singular values above 1e-5 of the greatest, over the batch, from a float64 decomposition; NaN
 * where a matrix is not finite. No more matrices are looked at than it takes to find one of full rank.
 */
export function largestRank(x: Tensor): number {
  const [rows, columns] = [x.shape.at(-2)!, x.shape.at(-1)!];
  const data = new Float64Array(x.array.data as Floats);
  if (!data.every(Number.isFinite)) return NaN;
  const size = rows * columns;
  const full = Math.min(rows, columns);
  let largest = 0;
  for (let at = 0; at < data.length && largest < full; at += decomposed * size) {
    const some = data.subarray(at, at + decomposed * size);
    const s = jacobiSingularValues(some, some.length / size, rows, columns);
    for (let base = 0; base < s.length; base += full) {
      let rank = 0;
      while (rank < full && s[base + rank]! > rankTolerance * s[base]!) rank++;
      largest = Math.max(largest, rank);
    }
  }
  return largest;
}

/** What the error identity says ‖H − C(H)‖² is: ‖D‖² − ‖P(D)‖² with D = R − X, what the truncation cut off. */
export function predictedErrors(
  projector: MomentProjector,
  { remainder, truncated }: { readonly remainder: Tensor; readonly truncated: Tensor },
): Float64Array {
  const returned = squaredProjections(projector, remainder, truncated);
  return squaredNorms(remainder, truncated).map((norm, b) => norm - returned[b]!);
}

/** How far an identity on errors is missed: max |error − predicted|/‖H‖² over the batch. Zero matrices are left out. */
export function largestGap(error: Float64Array, predicted: Float64Array, scale: Float64Array): number {
  let gap = 0;
  for (let b = 0; b < scale.length; b++) {
    if (scale[b]! !== 0) gap = Math.max(gap, Math.abs(error[b]! - predicted[b]!) / scale[b]!);
  }
  return gap;
}
