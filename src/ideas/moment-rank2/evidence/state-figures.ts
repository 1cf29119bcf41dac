import type { Tensor } from "../../../autograd/index.js";
import type { Floats } from "../../../tensor/index.js";
import type { MomentProjector } from "../moment-projector.js";
import { spectralFactors } from "../kernel/spectral-factors.js";

/** Singular values below this share of the largest are rounding, not rank. */
const rankTolerance = 1e-5;

/** max |⟨E_k, S∘(A − B)⟩| over the batch and the moments, measured in float64: A and B `[…, rows, columns]`. */
export function momentDrift(projector: MomentProjector, a: Tensor, b: Tensor): number {
  return momentsOf(projector, differences(a, b)).reduce((drift, m) => Math.max(drift, Math.abs(m)), 0);
}

/** ‖A − B‖² of each matrix, ‖A‖² without B, in float64: `[…, rows, columns]` → a flat list. */
export function squaredNorms(a: Tensor, b?: Tensor): Float64Array {
  return normsOf(differences(a, b), a.shape.at(-2)! * a.shape.at(-1)!);
}

/** ‖P(A − B)‖² of each matrix, ‖P(A)‖² without B, in float64. */
export function squaredProjections(projector: MomentProjector, a: Tensor, b?: Tensor): Float64Array {
  const { count, elements, scale, rows, columns } = projector.basis;
  const size = rows * columns;
  const moments = momentsOf(projector, differences(a, b));
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

/** A − B in float64, entry by entry; A without B. */
function differences(a: Tensor, b: Tensor | undefined): Float64Array {
  const out = Float64Array.from(a.array.data as Floats);
  if (b) {
    const other = b.array.data as Floats;
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

/** ⟨E_k, S∘X⟩, `[batch, count]`. */
function momentsOf({ basis }: MomentProjector, x: Float64Array): Float64Array {
  const { count, elements, scale, rows, columns } = basis;
  const size = rows * columns;
  const weighed = scale ? elements.map((element, at) => element * scale[at % size]!) : elements;
  const moments = new Float64Array((x.length / size) * count);
  for (let at = 0; at < moments.length; at++) {
    const from = Math.floor(at / count) * size;
    const element = (at % count) * size;
    let moment = 0;
    for (let i = 0; i < size; i++) moment += weighed[element + i]! * x[from + i]!;
    moments[at] = moment;
  }
  return moments;
}

/**
 * The largest number of singular values above 1e-5 of the greatest, over the batch, from a float64 decomposition; NaN
 * where a matrix is not finite.
 */
export function largestRank(x: Tensor): number {
  const [rows, columns] = [x.shape.at(-2)!, x.shape.at(-1)!];
  const batch = x.size / (rows * columns);
  const { s, k } = spectralFactors(x.cast("float64").values() as Floats, batch, rows, columns);
  let largest = 0;
  for (let b = 0; b < batch; b++) {
    const spectrum = s.subarray(b * k, (b + 1) * k);
    let rank = Number.isNaN(spectrum[0]) ? NaN : 0;
    while (rank < k && spectrum[rank]! > rankTolerance * spectrum[0]!) rank++;
    largest = Math.max(largest, rank);
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
