import type { Tensor } from "../../../autograd/index.js";
import type { Floats } from "../../../tensor/index.js";
import type { MomentProjector } from "../moment-projector.js";
import { spectralFactors } from "../kernel/spectral-factors.js";

/** Singular values below this share of the largest are rounding, not rank. */
const rankTolerance = 1e-5;

/** max |⟨E_k, S∘(A − B)⟩| over the batch and the moments, measured in float64: A and B `[…, rows, columns]`. */
export function momentDrift(projector: MomentProjector, a: Tensor, b: Tensor): number {
  const drift = projector.moments(a.cast("float64").sub(b.cast("float64")));
  return drift.abs().max().item();
}

/** ‖X‖² of each matrix, in float64: `[…, rows, columns]` → a flat list. */
export function squaredNorms(x: Tensor): Float64Array {
  return x.cast("float64").square().sum([-2, -1]).values() as Float64Array;
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

/**
 * How far an identity on the error of C is missed: max |‖H − C‖² − (‖R − X‖² − ‖P(R − X)‖²)|/‖H‖² over the batch, with
 * R what was truncated and X its truncation. Zero matrices are left out.
 */
export function errorIdentityGap(
  projector: MomentProjector,
  {
    h,
    c,
    remainder,
    truncated,
  }: { readonly h: Tensor; readonly c: Tensor; readonly remainder: Tensor; readonly truncated: Tensor },
): number {
  const cut = remainder.cast("float64").sub(truncated.cast("float64"));
  const scale = squaredNorms(h);
  const error = squaredNorms(h.cast("float64").sub(c.cast("float64")));
  const whole = squaredNorms(cut);
  const returned = squaredNorms(projector.project(cut));
  let gap = 0;
  for (let b = 0; b < scale.length; b++) {
    if (scale[b]! !== 0) gap = Math.max(gap, Math.abs(error[b]! - (whole[b]! - returned[b]!)) / scale[b]!);
  }
  return gap;
}
