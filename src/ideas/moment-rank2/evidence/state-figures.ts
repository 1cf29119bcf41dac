import type { Tensor } from "../../../autograd/index.js";
import type { Floats } from "../../../tensor/index.js";
import { jacobiSingularValues } from "../../../tensor/linalg/index.js";
import type { MomentProjector } from "../moment-projector.js";

/** Singular values below this share of the largest are rounding, not rank. */
const rankTolerance = 1e-5;

/** max |⟨E_k, S∘(A − B)⟩| over the batch and the moments, measured in float64: A and B `[…, rows, columns]`. */
export function momentDrift(projector: MomentProjector, a: Tensor, b: Tensor): number {
  const moments = momentsOf(projector, differences(a, b));
  let drift = 0;
  for (let at = 0; at < moments.length; at++) drift = Math.max(drift, Math.abs(moments[at]!));
  return drift;
}

/** ‖A − B‖² of each matrix, ‖A‖² without B, in float64: `[…, rows, columns]` → a flat list. */
export function squaredNorms(a: Tensor, b?: Tensor): Float64Array {
  return normsOf(differences(a, b), a.shape.at(-2)! * a.shape.at(-1)!);
}

/** ‖P(A − B)‖² of each matrix, ‖P(A)‖² without B, in float64. */
export function squaredProjections(projector: MomentProjector, a: Tensor, b?: Tensor): Float64Array {
  return projectedNormsOf(projector, differences(a, b));
}

/** A − B in float64, entry by entry; A without B. */
function differences(a: Tensor, b: Tensor | undefined): Float64Array {
  const out = new Float64Array(a.array.data as Floats);
  if (b) {
    const other = new Float64Array(b.array.data as Floats);
    for (let i = 0; i < out.length; i++) out[i] = out[i]! - other[i]!;
  }
  return out;
}

function normsOf(x: Float64Array, size: number): Float64Array {
  const norms = new Float64Array(x.length / size);
  for (let matrix = 0; matrix < norms.length; matrix++) {
    let norm = 0;
    for (let i = matrix * size; i < (matrix + 1) * size; i++) norm += x[i]! * x[i]!;
    norms[matrix] = norm;
  }
  return norms;
}

/**
 * ⟨E_k, S∘X⟩, `[batch, count]`: four matrices at a time, since the additions of one sum wait for one another; the last four may
 * name a matrix more than once.
 */
function momentsOf({ basis }: MomentProjector, x: Float64Array): Float64Array {
  const { count, elements, scale, rows, columns } = basis;
  const size = rows * columns;
  const weighed = scale ? elements.map((element, at) => element * scale[at % size]!) : elements;
  const moments = new Float64Array((x.length / size) * count);
  const last = x.length / size - 1;
  for (let a = 0; a <= last; a += 4) {
    const b = Math.min(a + 1, last);
    const c = Math.min(a + 2, last);
    const d = Math.min(a + 3, last);
    for (let k = 0; k < count; k++) {
      let momentA = 0;
      let momentB = 0;
      let momentC = 0;
      let momentD = 0;
      for (let i = 0; i < size; i++) {
        const element = weighed[k * size + i]!;
        momentA += element * x[a * size + i]!;
        momentB += element * x[b * size + i]!;
        momentC += element * x[c * size + i]!;
        momentD += element * x[d * size + i]!;
      }
      moments[a * count + k] = momentA;
      moments[b * count + k] = momentB;
      moments[c * count + k] = momentC;
      moments[d * count + k] = momentD;
    }
  }
  return moments;
}

/** ‖P(X)‖² of each matrix. */
function projectedNormsOf(projector: MomentProjector, x: Float64Array): Float64Array {
  const { count, elements, scale, rows, columns } = projector.basis;
  const size = rows * columns;
  const moments = momentsOf(projector, x);
  const norms = new Float64Array(x.length / size);
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
  for (let at = 0; at < data.length && largest < full; at += size) {
    const s = jacobiSingularValues(data.subarray(at, at + size), 1, rows, columns);
    let rank = 0;
    while (rank < full && s[rank]! > rankTolerance * s[0]!) rank++;
    largest = Math.max(largest, rank);
  }
  return largest;
}

/** What the error identity says ‖H − C(H)‖² is: ‖D‖² − ‖P(D)‖² with D = R − X, what the truncation cut off. */
export function predictedErrors(
  projector: MomentProjector,
  { remainder, truncated }: { readonly remainder: Tensor; readonly truncated: Tensor },
): Float64Array {
  const { rows, columns } = projector.basis;
  const cutOff = differences(remainder, truncated);
  const norms = normsOf(cutOff, rows * columns);
  const returned = projectedNormsOf(projector, cutOff);
  for (let b = 0; b < norms.length; b++) norms[b] = norms[b]! - returned[b]!;
  return norms;
}

/** How far an identity on errors is missed: max |error − predicted|/‖H‖² over the batch. Zero matrices are left out. */
export function largestGap(error: Float64Array, predicted: Float64Array, scale: Float64Array): number {
  let gap = 0;
  for (let b = 0; b < scale.length; b++) {
    if (scale[b]! !== 0) gap = Math.max(gap, Math.abs(error[b]! - predicted[b]!) / scale[b]!);
  }
  return gap;
}
