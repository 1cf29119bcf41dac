import type { Floats } from "../../../tensor/index.js";
import { combineKey } from "./combine-key.js";
import { addOwnRows, ownValue } from "./own-rows.js";
import { pointScale } from "./points.js";
import { solveLower } from "./solve-lower.js";
import type { ProblemTape } from "./tape.js";

/** Working space of the backward pass of one problem after another. */
export interface BackwardScratch {
  /** ∂L/∂[N, Z] of each query: `[queries, channels + 1]`. */
  readonly rowCotangents: Floats;
  /** F_qᵀ of those of the queries that are not exact: `[rank, channels + 1]`. */
  readonly mixedCotangents: Floats;
  /** U = B_kᵀ κ [V, 1] and P = B_qᵀ of the row cotangents: `[rank, channels + 1]`. */
  readonly valueSide: Floats;
  readonly querySide: Floats;
  /** U′ and P′: the same over the keys and queries that are not exact. */
  readonly valueRest: Floats;
  readonly queryRest: Floats;
  /** Σ_i Â_ij H_i of one key: `[channels + 1]`. */
  readonly keyCotangent: Floats;
  readonly pointCotangents: Floats;
  readonly pivotCotangents: Floats;
}

/** Scratch for problems of the size of `tape`. */
export function backwardScratch(
  tape: Pick<ProblemTape, "size" | "single"> & { rank: number },
): BackwardScratch {
  const { size, single, rank } = tape;
  const floats = (length: number): Floats => (single ? new Float32Array(length) : new Float64Array(length));
  const wide = size.channels + 1;
  return {
    rowCotangents: floats(size.queries * wide),
    mixedCotangents: floats(rank * wide),
    valueSide: floats(rank * wide),
    querySide: floats(rank * wide),
    valueRest: floats(rank * wide),
    queryRest: floats(rank * wide),
    keyCotangent: floats(wide),
    pointCotangents: floats((size.queries + size.keys) * size.width),
    pivotCotangents: floats(rank * size.width),
  };
}

/**
 * The gradient of {@link forwardProblem} with the pivots constant, into dq, dk and dv (zeros before). With
 * M = ∂L/∂A = H (κ[V, 1])ᵀ of rank channels + 1, B = A[:,S] W⁻¹ and W = A[S,S]: ∂L/∂A_q = M B_k, ∂L/∂A_k = Mᵀ B_q,
 * ∂L/∂W = −B_qᵀ M B_k, all from two triangular solves; then through the Gaussian kernel, the key factor and the
 * centring. Without a ridge, Â is A in the rows and columns of the pivots, so that what a pivot's own row and W pass
 * to a pair of pivots cancels but for H_t κ_s [V, 1]_s between a query t and a key s. It is cancelled by algebra, not by
 * rounding: solved for is what rows that are no pivots give to U and P (U′ and P′), and U = U′ + κ [V, 1], P = P′ + H
 * in the pivots' own rows. A floored normaliser is a constant (of Z in its own unit, so that the factor e^{|x|²/2} of the query no
 * longer cancels), and nothing flows through a clamped output.
 */
export function backwardProblem(
  tape: ProblemTape,
  rank: number,
  v: Floats,
  cotangent: Floats,
  scratch: BackwardScratch,
  grads: { readonly dq: Floats; readonly dk: Floats; readonly dv: Floats },
): void {
  const { rowCotangents, mixedCotangents, pointCotangents, pivotCotangents } = scratch;
  rowCotangents.fill(0);
  mixedCotangents.fill(0);
  pointCotangents.fill(0);
  pivotCotangents.fill(0);
  normaliserRows(tape, cotangent, scratch);
  mixRows(tape, rank, scratch);
  scratch.queryRest.set(mixedCotangents);
  scratch.valueRest.set(tape.mixed);
  solveLower(tape, rank, scratch.valueRest, true);
  solveLower(tape, rank, scratch.queryRest, true);
  addOwnRows(tape, rank, v, scratch);
  queryRows(tape, rank, scratch);
  keyRows(tape, rank, v, scratch, grads.dv);
  pivotBlock(tape, rank, v, scratch);
  scatterPoints(tape, rank, scratch, grads.dq, grads.dk);
}

/**
 * (s₀ + s₂) + (s₁ + s₃): how sums over channels that are split by the channel modulo 4, as the lanes of a vector are,
 * come together.
 */
function sumOfFour(s: Floats, single: boolean): number {
  const [even, odd] = [s[0]! + s[2]!, s[1]! + s[3]!];
  return single ? Math.fround(Math.fround(even) + Math.fround(odd)) : even + odd;
}

/** H_i = ∂L/∂[N_i, Z_i], and the share of e^{|x_i|²/2} in floored rows. */
function normaliserRows(tape: ProblemTape, cotangent: Floats, scratch: BackwardScratch): void {
  const { single, size, points, raw, clamped, floored, normaliser } = tape;
  const { queries, channels, width } = size;
  const wide = channels + 1;
  const { rowCotangents, pointCotangents } = scratch;
  const dots = new Float64Array(4);
  for (let i = 0; i < queries; i++) {
    if (points.present[i] === 0) continue;
    const z = normaliser[i]!;
    dots.fill(0);
    for (let c = 0; c < channels; c++) {
      const g = clamped[i * channels + c] === 1 ? 0 : cotangent[i * channels + c]!;
      rowCotangents[i * wide + c] = g / z;
      dots[c & 3] = dots[c & 3]! + g * raw[i * channels + c]!;
    }
    const sum = sumOfFour(dots, false);
    const dot = single ? Math.fround(sum) : sum;
    if (floored[i] === 1) {
      for (let c = 0; c < width; c++) pointCotangents[i * width + c] = dot * points.rows[i * width + c]!;
    } else {
      rowCotangents[i * wide + channels] = -dot / z;
    }
  }
}

/** F_qᵀ H of the queries that are not exact. */
function mixRows(tape: ProblemTape, rank: number, scratch: BackwardScratch): void {
  const { single, size, points, factor } = tape;
  const rows = size.queries + size.keys;
  const wide = size.channels + 1;
  const { rowCotangents, mixedCotangents } = scratch;
  for (let i = 0; i < size.queries; i++) {
    if (points.present[i] === 0 || tape.exact[i] === 1) continue;
    for (let t = 0; t < rank; t++) {
      const f = factor[t * rows + i]!;
      for (let c = 0; c < wide; c++) {
        const product = single
          ? Math.fround(f * rowCotangents[i * wide + c]!)
          : f * rowCotangents[i * wide + c]!;
        mixedCotangents[t * wide + c] = mixedCotangents[t * wide + c]! + product;
      }
    }
  }
}

/** Adds weight · (p_t − x_i) to the cotangent of x_i and its negative to that of the pivot p_t. */
function pull(tape: ProblemTape, i: number, t: number, weight: number, scratch: BackwardScratch): void {
  const { single, points, pivots } = tape;
  const { width, rows } = points;
  const { pointCotangents, pivotCotangents } = scratch;
  const at = i * width;
  const from = pivots[t]! * width;
  for (let c = 0; c < width; c++) {
    const difference = rows[from + c]! - rows[at + c]!;
    const force = single ? Math.fround(weight * Math.fround(difference)) : weight * difference;
    pointCotangents[at + c] = pointCotangents[at + c]! + force;
    pivotCotangents[t * width + c] = pivotCotangents[t * width + c]! - force;
  }
}

/** ∂L/∂A_q = H Uᵀ with U = B_kᵀ κ [V, 1], carried to the points. */
function queryRows(tape: ProblemTape, rank: number, scratch: BackwardScratch): void {
  const { single, size, points, columns } = tape;
  const rows = size.queries + size.keys;
  const wide = size.channels + 1;
  const { rowCotangents, valueSide } = scratch;
  for (let i = 0; i < size.queries; i++) {
    if (points.present[i] === 0 || tape.exact[i] === 1) continue;
    for (let t = 0; t < rank; t++) {
      let e = 0;
      for (let c = 0; c < wide; c++) {
        const product = rowCotangents[i * wide + c]! * valueSide[t * wide + c]!;
        e = single ? Math.fround(e + Math.fround(product)) : e + product;
      }
      const weight = e * columns[t * rows + i]!;
      pull(tape, i, t, single ? Math.fround(weight) : weight, scratch);
    }
  }
}

/** ∂L/∂V, ∂L/∂κ and ∂L/∂A_k = κ [V, 1] Pᵀ with P = B_qᵀ H, carried to the points. */
function keyRows(tape: ProblemTape, rank: number, v: Floats, scratch: BackwardScratch, dv: Floats): void {
  const { single, size, points, columns, keyWeights } = tape;
  const { queries, keys, channels, width } = size;
  const rows = queries + keys;
  const wide = channels + 1;
  const { keyCotangent, querySide, pointCotangents } = scratch;
  const sums = single ? new Float32Array(4) : new Float64Array(4);
  for (let j = 0; j < keys; j++) {
    if (points.present[queries + j] === 0) continue;
    const row = queries + j;
    const kappa = keyWeights[j]!;
    sums.fill(0);
    combineKey(tape, rank, j, scratch);
    for (let c = 0; c < wide; c++) {
      let g = keyCotangent[c]!;
      if (c < channels) {
        dv[j * channels + c] = kappa * g;
        g *= v[j * channels + c]!;
      }
      sums[c & 3] = sums[c & 3]! + (single ? Math.fround(g) : g);
    }
    const weightCotangent = sumOfFour(sums, single);
    const growth = single ? Math.fround(weightCotangent * kappa) : weightCotangent * kappa;
    for (let c = 0; c < width; c++) {
      const at = row * width + c;
      const along = growth * points.rows[at]!;
      pointCotangents[at] = pointCotangents[at]! + (single ? Math.fround(along) : along);
    }
    if (tape.exact[row] === 1) continue;
    for (let t = 0; t < rank; t++) {
      let e = querySide[t * wide + channels]!;
      for (let c = 0; c < channels; c++) {
        const product = v[j * channels + c]! * querySide[t * wide + c]!;
        e = single ? Math.fround(e + Math.fround(product)) : e + product;
      }
      const scaled = single ? Math.fround(e * kappa) : e * kappa;
      const weight = scaled * columns[t * rows + row]!;
      pull(tape, row, t, single ? Math.fround(weight) : weight, scratch);
    }
  }
}

/**
 * What a pair of pivots is pulled together by, of ∂L/∂W, symmetrised, and of the pivots' own rows: −P′_t·U′_s − P′_s·U′_t,
 * and H_t·κ_s [V, 1]_s for an exact query t and an exact key s; the diagonal of W is constant.
 */
function pivotBlock(tape: ProblemTape, rank: number, v: Floats, scratch: BackwardScratch): void {
  const { single, size, columns, pivots, points, exact } = tape;
  const { queries } = size;
  const rows = queries + size.keys;
  const wide = size.channels + 1;
  const { rowCotangents, valueRest, queryRest, pivotCotangents } = scratch;
  for (let t = 0; t < rank; t++) {
    for (let s = t + 1; s < rank; s++) {
      let e = 0;
      for (let c = 0; c < wide; c++) {
        e -=
          queryRest[t * wide + c]! * valueRest[s * wide + c]! +
          queryRest[s * wide + c]! * valueRest[t * wide + c]!;
      }
      const query = Math.min(pivots[t]!, pivots[s]!);
      const key = Math.max(pivots[t]!, pivots[s]!) - queries;
      if (exact[pivots[t]!] === 1 && query < queries && key >= 0) {
        for (let c = 0; c < wide; c++) e += rowCotangents[query * wide + c]! * ownValue(tape, key, v, c);
      }
      const product = e * columns[t * rows + pivots[s]!]!;
      const weight = single ? Math.fround(product) : product;
      for (let c = 0; c < points.width; c++) {
        const difference =
          points.rows[pivots[s]! * points.width + c]! - points.rows[pivots[t]! * points.width + c]!;
        const force = single ? Math.fround(weight * Math.fround(difference)) : weight * difference;
        pivotCotangents[t * points.width + c] = pivotCotangents[t * points.width + c]! + force;
        pivotCotangents[s * points.width + c] = pivotCotangents[s * points.width + c]! - force;
      }
    }
  }
}

/** From the points back to q and k: the pivots' shares, the scale d^−¼, and the centring over unmasked keys. */
function scatterPoints(
  tape: ProblemTape,
  rank: number,
  scratch: BackwardScratch,
  dq: Floats,
  dk: Floats,
): void {
  const { single, size, points, pivots } = tape;
  const { queries, keys, width } = size;
  const { pointCotangents, pivotCotangents } = scratch;
  for (let t = 0; t < rank; t++) {
    for (let c = 0; c < width; c++) {
      const at = pivots[t]! * width + c;
      pointCotangents[at] = pointCotangents[at]! + pivotCotangents[t * width + c]!;
    }
  }
  const scale = pointScale(width, single);
  for (let at = 0; at < queries * width; at++) dq[at] = pointCotangents[at]! * scale;
  for (let c = 0; c < width; c++) {
    let sum = 0;
    let count = 0;
    for (let j = 0; j < keys; j++) {
      if (points.present[queries + j] === 0) continue;
      sum += pointCotangents[(queries + j) * width + c]!;
      count++;
    }
    const mean = sum / count;
    for (let j = 0; j < keys; j++) {
      if (points.present[queries + j] === 0) continue;
      dk[j * width + c] = (pointCotangents[(queries + j) * width + c]! - mean) * scale;
    }
  }
}
