import { allocate, type Floats } from "../../../tensor/index.js";
import { dot } from "../../../tensor/linalg/vectors.js";
import { reachesBound } from "../amplification-bound.js";
import type { SpectralFactors } from "./spectral-factors.js";
import { addScaled } from "./vectors.js";

/**
 * DT_r[G], the derivative of T_r at H = U·diag(s)·Vᵀ in the direction G, which is also its gradient for the cotangent
 * G: T_r is the gradient of the convex function ½Σ_{t≤r} s_t², so the map is self-adjoint.
 *
 * With D = UᵀGV and X = D in the kept block and 0 in the discarded one, and for i ≤ r < j
 *
 *   S = (D_ij + D_ji)/2,  N = (D_ij − D_ji)/2,  a = s_i/(s_i − s_j),  b = s_i/(s_i + s_j),
 *   X_ij = a·S + b·N,     X_ji = a·S − b·N:                             DT_r[G] = U·X·Vᵀ.
 *
 * It is computed as Σ_i u_i l_iᵀ + r_i v_iᵀ from l_i = Gᵀu_i, freed of the kept v, and r_i = G·v_i. That is the part
 * for a = b = 1, the projection on the tangent space of the matrices of rank r, and needs no discarded vector. What
 * a − 1 = s_j/(s_i − s_j) and b − 1 = −s_j/(s_i + s_j) add to it vanishes with s_j, so that rectangular, rank-deficient
 * and zero matrices are no special cases. `a` is clipped at `bound`; with `bound` "tangent" a = b = 1 throughout. Equal
 * singular values within the kept block do not occur in the formula.
 *
 * Shapes: g `[batch, rows, columns]`; added to out, of the same shape.
 */
export function addTruncationDerivative(
  factors: SpectralFactors,
  rank: number,
  bound: number | "tangent",
  g: Floats,
  out: Floats,
): void {
  const dtype = out instanceof Float32Array ? "float32" : "float64";
  const l = allocate(dtype, rank * factors.columns);
  const r = allocate(dtype, rank * factors.rows);
  for (let b = 0; b < factors.batch; b++) {
    reduce(factors, b, rank, g, l, r);
    if (bound !== "tangent") addAmplification(factors, b, rank, bound, l, r);
    expand(factors, b, rank, l, r, out);
  }
}

/** l_i = (I − V_r V_rᵀ) Gᵀ u_i into l `[rank, columns]`, r_i = G v_i into r `[rank, rows]`. */
function reduce(
  { rows, columns, k, u, v }: SpectralFactors,
  b: number,
  rank: number,
  g: Floats,
  l: Floats,
  r: Floats,
): void {
  const single = g instanceof Float32Array;
  l.fill(0);
  for (let i = 0; i < rank; i++) {
    const term = b * k + i;
    for (let p = 0; p < rows; p++) {
      const row = (b * rows + p) * columns;
      addScaled(l, i * columns, u[term * rows + p]!, g, row, columns, single);
      r[i * rows + p] = dot(g, row, v, term * columns, columns, single);
    }
    for (let t = 0; t < rank; t++) {
      const kept = (b * k + t) * columns;
      addScaled(l, i * columns, -dot(l, i * columns, v, kept, columns, single), v, kept, columns, single);
    }
  }
}

/** l_i += Σ_j ((a − 1)S + (b − 1)N) v_j and r_i += Σ_j ((a − 1)S − (b − 1)N) u_j over the discarded j with s_j > 0. */
function addAmplification(
  { rows, columns, k, u, s, v }: SpectralFactors,
  b: number,
  rank: number,
  bound: number,
  l: Floats,
  r: Floats,
): void {
  const single = s instanceof Float32Array;
  const gains = new Float64Array(2 * k);
  for (let i = 0; i < rank; i++) {
    const kept = s[b * k + i]!;
    for (let j = rank; j < k; j++) {
      const term = b * k + j;
      const discarded = s[term]!;
      const above = dot(l, i * columns, v, term * columns, columns, single);
      const below = dot(r, i * rows, u, term * rows, rows, single);
      const gain = reachesBound(kept, discarded, bound, single)
        ? round(round(bound, single) - 1, single)
        : round(discarded / round(kept - discarded, single), single);
      const loss = round(discarded / round(kept + discarded, single), single);
      const even = round(gain * round(round(above + below, single) / 2, single), single);
      const odd = round(loss * round(round(above - below, single) / 2, single), single);
      gains[2 * j] = discarded === 0 ? 0 : round(even - odd, single);
      gains[2 * j + 1] = discarded === 0 ? 0 : round(even + odd, single);
    }
    for (let j = rank; j < k; j++) {
      const term = b * k + j;
      addScaled(l, i * columns, gains[2 * j]!, v, term * columns, columns, single);
      addScaled(r, i * rows, gains[2 * j + 1]!, u, term * rows, rows, single);
    }
  }
}

function round(x: number, single: boolean): number {
  return single ? Math.fround(x) : x;
}

/** Σ_i u_i l_iᵀ + r_i v_iᵀ. */
function expand(
  { rows, columns, k, u, v }: SpectralFactors,
  b: number,
  rank: number,
  l: Floats,
  r: Floats,
  out: Floats,
): void {
  const single = out instanceof Float32Array;
  for (let i = 0; i < rank; i++) {
    const term = b * k + i;
    for (let p = 0; p < rows; p++) {
      const row = (b * rows + p) * columns;
      addScaled(out, row, u[term * rows + p]!, l, i * columns, columns, single);
      addScaled(out, row, r[i * rows + p]!, v, term * columns, columns, single);
    }
  }
}
