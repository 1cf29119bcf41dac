import { exponential } from "../kernel/exponential.js";
import { factorRow, gaussian, halfSquare, type Prefix, type RowSpace, type Tokens } from "./prefix.js";
import { solveLower } from "./solve-lower.js";
import type { TokenTangents } from "./tangent.js";

/**
 * How the sums [N, Z_p] of the queries of one epoch move with the tokens: with S = Σ_j G_j κ_j [v_j, 1] over keys that are not
 * exact and U = W⁻¹ S,  Ṅ = Ġ_i (U + own) + G_i (W⁻¹ (Ṡ − Ẇ U) + d own). All in the unit of the prefix at hand.
 */
export class PrefixTangent {
  readonly #space: RowSpace;
  readonly #wide: number;
  readonly #pivots: Float64Array;
  /** Ẇ, `[rank, rank]`. */
  readonly #block: Float64Array;
  /** Ṡ and the derivative of own. */
  readonly #moved: Float64Array;
  readonly #own: Float64Array;
  /** U + own, and W⁻¹ (Ṡ − Ẇ U) + d own. */
  readonly #values: Float64Array;
  readonly #rates: Float64Array;
  readonly #sums: Float64Array;
  #prefix: Prefix;

  constructor(prefix: Prefix, chosen: Int32Array, past: Tokens, tangents: TokenTangents, space: RowSpace) {
    const { rank: capacity, channels, width, ridge, single } = prefix.plan;
    const wide = channels + 1;
    this.#prefix = prefix;
    this.#space = space;
    this.#wide = wide;
    this.#pivots = new Float64Array(capacity * width);
    [this.#moved, this.#own, this.#values, this.#rates] = [0, 0, 0, 0].map(
      () => new Float64Array(capacity * wide),
    ) as [Float64Array, Float64Array, Float64Array, Float64Array];
    this.#sums = new Float64Array(wide);
    const { rank, pivots } = prefix;
    for (let t = 0; t < rank; t++) {
      const row = chosen[t]!;
      const from = row < past.length ? tangents.queries : tangents.keys;
      const at = (row < past.length ? row : row - past.length) * width;
      this.#pivots.set(from.subarray(at, at + width), t * width);
    }
    this.#block = new Float64Array(rank * rank);
    for (let t = 0; t < rank; t++) {
      for (let s = 0; s < rank; s++) {
        const entry = gaussian(pivots, t, pivots, s, width, single);
        this.#block[t * rank + s] = -entry * this.#pull(pivots, t, this.#pivots, s);
      }
    }
    const exact = (j: number): number => (ridge === 0 ? chosen.indexOf(past.length + j) : -1);
    for (let j = 0; j < past.length; j++) this.#addKey(past, j, tangents, prefix.shift, exact(j));
  }

  /** Turns to a chunk whose queries saw `prefix`. */
  see(prefix: Prefix): void {
    this.#prefix = prefix;
    const { rank, mixed, own } = prefix;
    const wide = this.#wide;
    const values = this.#values;
    const rates = this.#rates;
    values.set(mixed);
    solveLower(prefix, values, wide, true);
    for (let t = 0; t < rank; t++) {
      for (let c = 0; c < wide; c++) {
        let rate = this.#moved[t * wide + c]!;
        for (let s = 0; s < rank; s++) rate -= this.#block[t * rank + s]! * values[s * wide + c]!;
        rates[t * wide + c] = rate;
      }
    }
    solveLower(prefix, rates, wide, false);
    solveLower(prefix, rates, wide, true);
    for (let at = 0; at < values.length; at++) {
      values[at] = values[at]! + own[at]!;
      rates[at] = rates[at]! + this.#own[at]!;
    }
  }

  /** [Ṅ, Ż_p] of query i, whose row is in the space. */
  sumsOf(queries: Float64Array, i: number, moved: Float64Array, { columns }: RowSpace): Float64Array {
    const wide = this.#wide;
    this.#sums.fill(0);
    for (let t = 0; t < this.#prefix.rank; t++) {
      const entry = columns[t]!;
      const rate = -entry * this.#pull(queries, i, moved, t);
      for (let c = 0; c < wide; c++) {
        this.#sums[c] =
          this.#sums[c]! + rate * this.#values[t * wide + c]! + entry * this.#rates[t * wide + c]!;
      }
    }
    return this.#sums;
  }

  /** Takes the keys of the chunk at hand in, in the unit of the prefix that the next one sees. */
  absorb(tokens: Tokens, tangents: TokenTangents, next: Prefix | undefined): void {
    if (!next) return;
    const factor = exponential(this.#prefix.shift - next.shift, next.plan.single);
    if (factor !== 1) {
      for (const sums of [this.#moved, this.#own]) {
        for (let at = 0; at < sums.length; at++) sums[at] = sums[at]! * factor;
      }
    }
    for (let j = 0; j < tokens.length; j++) this.#addKey(tokens, j, tangents, next.shift, -1);
  }

  #addKey({ keys, values }: Tokens, j: number, tangents: TokenTangents, shift: number, pivot: number): void {
    const { plan, rank } = this.#prefix;
    const { channels, width, single } = plan;
    const { columns, factor } = this.#space;
    const wide = this.#wide;
    const kappa = exponential(halfSquare(keys, j, width) - shift, single);
    let growth = 0;
    for (let c = 0; c < width; c++) growth += keys[j * width + c]! * tangents.keys[j * width + c]!;
    const value = (c: number): number => (c < channels ? values[j * channels + c]! : 1);
    const valueRate = (c: number): number => (c < channels ? tangents.values[j * channels + c]! : 0);
    if (pivot >= 0) {
      for (let c = 0; c < wide; c++) this.#own[pivot * wide + c] = kappa * (growth * value(c) + valueRate(c));
      return;
    }
    factorRow(this.#prefix, keys, j, columns, factor);
    for (let t = 0; t < rank; t++) {
      const weight = columns[t]! * kappa;
      const rate = weight * (growth - this.#pull(keys, j, tangents.keys, t));
      for (let c = 0; c < wide; c++) {
        const at = t * wide + c;
        this.#moved[at] = this.#moved[at]! + rate * value(c) + weight * valueRate(c);
      }
    }
  }

  /** ⟨x_i − p_t, ẋ_i − ṗ_t⟩ */
  #pull(points: Float64Array, i: number, moved: Float64Array, t: number): number {
    const { pivots, plan } = this.#prefix;
    const { width } = plan;
    let sum = 0;
    for (let c = 0; c < width; c++) {
      const rate = moved[i * width + c]! - this.#pivots[t * width + c]!;
      sum += (points[i * width + c]! - pivots[t * width + c]!) * rate;
    }
    return sum;
  }
}
