import type { Floats } from "../../../tensor/index.js";
import { exponential } from "../kernel/exponential.js";
import { factorRow, gaussian, halfSquare, type Prefix, type RowSpace } from "./prefix.js";
import { solveLower } from "./solve-lower.js";

/** What one query passes back to its prefix. */
export interface RowCotangent {
  /** H = ∂L/∂[N, Z_p], `[channels + 1]`. */
  readonly toSums: Float64Array;
  /** The factor of x in ∂L/∂x beside what comes through the Gaussian kernel. */
  readonly growth: number;
}

/**
 * The backward pass through the prefixes of one epoch, chunk by chunk from the last: with M the mixed sums that the queries
 * i of a chunk see and W = L Lᵀ, N_i = G_iᵀ U, U = W⁻¹ Σ_j G_j κ_j [v_j, 1] + own = L⁻ᵀ M + own, so that
 *
 *   ∂L/∂G_i = U H_i,   ∂L/∂(κ_j [v_j, 1]) = F_jᵀ D,   ∂L/∂G_j = P κ_j [v_j, 1],   ∂L/∂W = −Σ P_chunk (L⁻ᵀ M)ᵀ, symmetrised,
 *
 * with D = Σ F_i H_i over the queries of later chunks and P = L⁻ᵀ D. All in the unit of the prefix of the chunk at hand.
 */
export class EpochCotangents {
  readonly #space: RowSpace;
  readonly #wide: number;
  /** D of the chunks so far, and of the one at hand. */
  readonly #seen: Float64Array;
  readonly #chunk: Float64Array;
  /** P = L⁻ᵀ D. */
  readonly #seenBack: Float64Array;
  /** L⁻ᵀ M, and U. */
  readonly #rest: Float64Array;
  readonly #valueSide: Float64Array;
  /** Σ G_it H_i: what the pivots that are keys get themselves. */
  readonly #columns: Float64Array;
  readonly #pairs: Float64Array;
  readonly #pivotPoints: Float64Array;
  #prefix: Prefix;

  constructor(prefix: Prefix, space: RowSpace) {
    const { rank, channels, width } = prefix.plan;
    this.#prefix = prefix;
    this.#space = space;
    this.#wide = channels + 1;
    const sums = (): Float64Array => new Float64Array(rank * this.#wide);
    [this.#seen, this.#chunk, this.#seenBack, this.#rest, this.#valueSide, this.#columns] = [
      sums(),
      sums(),
      sums(),
      sums(),
      sums(),
      sums(),
    ];
    this.#pairs = new Float64Array(rank * rank);
    this.#pivotPoints = new Float64Array(rank * width);
  }

  /** Turns to a chunk whose queries saw `prefix`. */
  beginChunk(prefix: Prefix): void {
    this.#prefix = prefix;
    this.#chunk.fill(0);
    this.#rest.set(prefix.mixed);
    solveLower(this.#prefix, this.#rest, this.#wide, true);
    for (let at = 0; at < this.#rest.length; at++) this.#valueSide[at] = this.#rest[at]! + prefix.own[at]!;
  }

  /** Takes what query i of the chunk, whose row is in the space, passes back, and adds to the cotangent of its point at `to`. */
  addQuery(
    queries: Float64Array,
    i: number,
    { toSums }: RowCotangent,
    dQueries: Float64Array,
    to: number,
  ): void {
    const { rank } = this.#prefix;
    const { columns, factor } = this.#space;
    const wide = this.#wide;
    for (let t = 0; t < rank; t++) {
      let entry = 0;
      for (let c = 0; c < wide; c++) {
        const at = t * wide + c;
        entry += toSums[c]! * this.#valueSide[at]!;
        this.#chunk[at] = this.#chunk[at]! + factor[t]! * toSums[c]!;
        this.#columns[at] = this.#columns[at]! + columns[t]! * toSums[c]!;
      }
      this.#pull(queries, i, t, entry * columns[t]!, dQueries, to);
    }
  }

  /** Ends the chunk: from now on its queries are later ones. */
  endChunk(): void {
    const { rank } = this.#prefix;
    const wide = this.#wide;
    for (let at = 0; at < this.#seen.length; at++) this.#seen[at] = this.#seen[at]! + this.#chunk[at]!;
    solveLower(this.#prefix, this.#chunk, this.#wide, true);
    this.#seenBack.set(this.#seen);
    solveLower(this.#prefix, this.#seenBack, this.#wide, true);
    for (let t = 0; t < rank; t++) {
      for (let s = t + 1; s < rank; s++) {
        let pair = 0;
        for (let c = 0; c < wide; c++) {
          pair +=
            this.#chunk[t * wide + c]! * this.#rest[s * wide + c]! +
            this.#chunk[s * wide + c]! * this.#rest[t * wide + c]!;
        }
        this.#pairs[t * rank + s] = this.#pairs[t * rank + s]! - pair;
      }
    }
  }

  /** Adds what key j, whose value is row `row` of v, gets from the queries of all later chunks. */
  addKey(keys: Float64Array, j: number, v: Floats, row: number, dKeys: Float64Array, dv: Float64Array): void {
    const { rank, plan, shift } = this.#prefix;
    const { channels, width, single } = plan;
    const { columns, factor } = this.#space;
    const wide = this.#wide;
    factorRow(this.#prefix, keys, j, columns, factor);
    const kappa = exponential(halfSquare(keys, j, width) - shift, single);
    let growth = 0;
    for (let c = 0; c < wide; c++) {
      let toValue = 0;
      for (let t = 0; t < rank; t++) toValue += factor[t]! * this.#seen[t * wide + c]!;
      growth += kappa * toValue * (c < channels ? v[row * channels + c]! : 1);
      if (c < channels) dv[row * channels + c] = dv[row * channels + c]! + kappa * toValue;
    }
    for (let c = 0; c < width; c++) {
      dKeys[row * width + c] = dKeys[row * width + c]! + growth * keys[j * width + c]!;
    }
    for (let t = 0; t < rank; t++) {
      let entry = this.#seenBack[t * wide + channels]!;
      for (let c = 0; c < channels; c++) entry += v[row * channels + c]! * this.#seenBack[t * wide + c]!;
      this.#pull(keys, j, t, kappa * entry * columns[t]!, dKeys, row * width);
    }
  }

  /** Adds what the keys that are exact pivots get for their own factor and value. */
  addPivotKeys(
    chosen: Int32Array,
    past: number,
    keys: Float64Array,
    v: Floats,
    dKeys: Float64Array,
    dv: Float64Array,
  ): void {
    const { rank, plan, shift } = this.#prefix;
    const { channels, width, single } = plan;
    for (let t = 0; t < rank; t++) {
      const j = chosen[t]! - past;
      if (j < 0) continue;
      const kappa = exponential(halfSquare(keys, j, width) - shift, single);
      let growth = 0;
      for (let c = 0; c <= channels; c++) {
        const own = kappa * this.#columns[t * this.#wide + c]!;
        growth += own * (c < channels ? v[j * channels + c]! : 1);
        if (c < channels) dv[j * channels + c] = dv[j * channels + c]! + own;
      }
      for (let c = 0; c < width; c++) {
        dKeys[j * width + c] = dKeys[j * width + c]! + growth * keys[j * width + c]!;
      }
    }
  }

  /** Changes from the unit e^shift of one prefix to that of the one before it. */
  rescale(from: number, to: number): void {
    if (from === to) return;
    const factor = exponential(to - from, this.#prefix.plan.single);
    for (const sums of [this.#seen, this.#columns])
      for (let at = 0; at < sums.length; at++) sums[at] = sums[at]! * factor;
  }

  /** Adds what the pivots' points get: from every row pulled towards them, and from each other. */
  addPivotPoints(chosen: Int32Array, past: number, dQueries: Float64Array, dKeys: Float64Array): void {
    const { rank, pivots, plan } = this.#prefix;
    const { width, single } = plan;
    const own = this.#pivotPoints;
    for (let t = 0; t < rank; t++) {
      for (let s = t + 1; s < rank; s++) {
        const weight = this.#pairs[t * rank + s]! * gaussian(pivots, t, pivots, s, width, single);
        for (let c = 0; c < width; c++) {
          const force = weight * (pivots[s * width + c]! - pivots[t * width + c]!);
          own[t * width + c] = own[t * width + c]! + force;
          own[s * width + c] = own[s * width + c]! - force;
        }
      }
    }
    for (let t = 0; t < rank; t++) {
      const row = chosen[t]!;
      const to = row < past ? dQueries : dKeys;
      const at = (row < past ? row : row - past) * width;
      for (let c = 0; c < width; c++) to[at + c] = to[at + c]! + own[t * width + c]!;
    }
  }

  /** Pulls row i of `points` and pivot t together. */
  #pull(points: Float64Array, i: number, t: number, weight: number, sums: Float64Array, to: number): void {
    const { pivots, plan } = this.#prefix;
    const { width } = plan;
    for (let c = 0; c < width; c++) {
      const force = weight * (pivots[t * width + c]! - points[i * width + c]!);
      sums[to + c] = sums[to + c]! + force;
      this.#pivotPoints[t * width + c] = this.#pivotPoints[t * width + c]! - force;
    }
  }
}
