import { fail } from "../../../errors/index.js";
import { dtypeOf, allocate, type FloatDType, type Floats } from "../../../tensor/index.js";
import { jacobiSvd } from "../../../tensor/linalg/index.js";
import { addScaled } from "./vectors.js";

/**
 * The singular value decompositions behind one truncation, kept for its gradient: H = Σ_t s_t u_t v_tᵀ for each matrix
 * of the batch, with k = min(rows, columns) terms and s descending. The vectors of each side are orthonormal, also
 * where s vanishes.
 */
export interface SpectralFactors {
  readonly batch: number;
  readonly rows: number;
  readonly columns: number;
  /** min(rows, columns) */
  readonly k: number;
  /** u_t as rows, `[batch, k, rows]` */
  readonly u: Floats;
  /** `[batch, k]` */
  readonly s: Floats;
  /** v_t as rows, `[batch, k, columns]` */
  readonly v: Floats;
}

/** The decompositions of a batch of matrices: h `[batch, rows, columns]`. A matrix that is not finite gives NaN. */
export function spectralFactors(h: Floats, batch: number, rows: number, columns: number): SpectralFactors {
  const k = Math.min(rows, columns);
  const { u, s, v } = jacobiSvd(h, batch, rows, columns);
  return {
    batch,
    rows,
    columns,
    k,
    u: transposed(u, batch, rows, k),
    s,
    v: transposed(v, batch, columns, k),
  };
}

/** `[batch, m, n]` → `[batch, n, m]` */
function transposed(x: Floats, batch: number, m: number, n: number): Floats {
  const out = allocate(dtypeOf(x) as FloatDType, x.length);
  for (let b = 0; b < batch; b++) {
    const base = b * m * n;
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) out[base + j * m + i] = x[base + i * n + j]!;
    }
  }
  return out;
}

/** E_VALUE unless `rank` is a whole number from 1 to min(rows, columns). */
export function checkRank(rank: number, rows: number, columns: number): void {
  const most = Math.min(rows, columns);
  if (!Number.isInteger(rank) || rank < 1 || rank > most) {
    fail(
      "E_VALUE",
      `truncation: the rank of a ${rows}×${columns} matrix must be a whole number from 1 to ${most}, not ${rank}`,
    );
  }
}

/** T_r(H) = Σ_{t≤r} s_t u_t v_tᵀ, the best approximation of rank r, added to `out` `[batch, rows, columns]`. */
export function addTruncated(
  { batch, rows, columns, k, u, s, v }: SpectralFactors,
  rank: number,
  out: Floats,
): void {
  const single = out instanceof Float32Array;
  for (let b = 0; b < batch; b++) {
    for (let t = 0; t < rank; t++) {
      const term = b * k + t;
      for (let i = 0; i < rows; i++) {
        const share = s[term]! * u[term * rows + i]!;
        const factor = single ? Math.fround(share) : share;
        addScaled(out, (b * rows + i) * columns, factor, v, term * columns, columns, single);
      }
    }
  }
}
