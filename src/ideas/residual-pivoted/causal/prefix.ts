import type { Floats } from "../../../tensor/index.js";
import { exponential } from "../kernel/exponential.js";
import { offsetSlack, roundingSlack } from "../settings.js";

/** The sizes of one causal attention and what it is computed with. */
export interface CausalPlan {
  readonly width: number;
  readonly channels: number;
  readonly rank: number;
  readonly ridge: number;
  /** Whether q, k and v are float32: the kernel is rounded so, sums are in float64 all the same. */
  readonly single: boolean;
}

/**
 * What a chunk knows of the tokens before it: pivots, and sums over the keys so far through them; O(r (r + d + channels))
 * numbers. Pivots, their centre and factor stay from one choice to the next; the sums take in each chunk when it is complete.
 * Points are x = q/d^¼ and y = (k − centre)/d^¼; κ_j = e^{|y_j|²/2 − shift}.
 */
export interface Prefix {
  readonly plan: CausalPlan;
  readonly rank: number;
  /** The mean of the keys that the pivots were chosen from, `[width]`. */
  readonly centre: Float64Array;
  /** The pivots' points `[rank, width]`. */
  readonly pivots: Float64Array;
  /** L with L Lᵀ = G[S,S] + ridge, `[rank, rank]`, lower triangle. */
  readonly lower: Float64Array;
  /** κ_s [v_s, 1] of the pivots that are keys and, without a ridge, exact; 0 for the others: `[rank, channels + 1]`. */
  readonly own: Float64Array;
  /** κ_s of the pivots that are keys, `[rank]`. */
  readonly ownWeights: Float64Array;
  /** Σ F_j κ_j [v_j, 1] over the keys so far that are not exact, `[rank, channels + 1]`. */
  readonly mixed: Float64Array;
  /** The largest |y_j|²/2 so far. */
  shift: number;
  keys: number;
  /** Σ y_j, `[width]`. */
  readonly keySum: Float64Array;
  /** The least and the largest value so far, `[channels]`. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** The bounds of an average of the values so far beyond which it counts as clamped, `[channels]`. */
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
  /** False from a query or key on that is not finite: every later output is NaN. */
  finite: boolean;
}

/**
 * The row G_is of one point in the columns of the pivots and F = G L⁻ᵀ: by the operations of the elimination that chose them, in
 * its order, so that it makes no difference when a row is computed.
 */
export function factorRow(
  prefix: Pick<Prefix, "plan" | "rank" | "pivots" | "lower">,
  points: Float64Array,
  row: number,
  columns: Float64Array,
  factor: Float64Array,
): void {
  const { rank, pivots, lower } = prefix;
  const { width, single, rank: capacity } = prefix.plan;
  for (let t = 0; t < rank; t++) {
    const entry = gaussian(points, row, pivots, t, width, single);
    columns[t] = entry;
    let left = entry;
    for (let u = 0; u < t; u++) left -= factor[u]! * lower[t * capacity + u]!;
    factor[t] = left / lower[t * capacity + t]!;
  }
}

/** e^{−|a_i − b_j|²/2} of row i of a and row j of b. */
export function gaussian(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  width: number,
  single: boolean,
): number {
  let squared = 0;
  for (let c = 0; c < width; c++) {
    const difference = a[i * width + c]! - b[j * width + c]!;
    squared += difference * difference;
  }
  return exponential(-0.5 * squared, single);
}

/** Half the squared length of a row. */
export function halfSquare(points: Float64Array, row: number, width: number): number {
  let squared = 0;
  for (let c = 0; c < width; c++) squared += points[row * width + c]! ** 2;
  return squared / 2;
}

/** Tokens that a prefix takes in: points of queries and keys in float64, and values. */
export interface Tokens {
  readonly length: number;
  readonly queries: Float64Array;
  readonly keys: Float64Array;
  readonly values: Floats;
}

/** Working space of {@link absorb}: one row, twice. */
export interface RowSpace {
  readonly columns: Float64Array;
  readonly factor: Float64Array;
}

/**
 * Takes the keys and values of `tokens` into the sums, the pivots among them by themselves: `pivotAt` says which pivot a key is,
 * −1 for none.
 */
export function absorb(
  prefix: Prefix,
  tokens: Tokens,
  space: RowSpace,
  pivotAt: (key: number) => number = () => -1,
): void {
  const { plan, mixed, own, ownWeights, rank, keySum, low, high } = prefix;
  const { width, channels, single, ridge } = plan;
  const { length, queries, keys, values } = tokens;
  const wide = channels + 1;
  raiseShift(prefix, tokens);
  for (let at = 0; at < length * width; at++) {
    if (!(Math.abs(queries[at]!) < Infinity && Math.abs(keys[at]!) < Infinity)) prefix.finite = false;
  }
  prefix.finite &&= prefix.shift < Infinity;
  for (let j = 0; j < length; j++) {
    for (let c = 0; c < width; c++) keySum[c] = keySum[c]! + keys[j * width + c]!;
    for (let c = 0; c < channels; c++) {
      const value = values[j * channels + c]!;
      low[c] = Math.min(low[c]!, value);
      high[c] = Math.max(high[c]!, value);
    }
    const kappa = exponential(halfSquare(keys, j, width) - prefix.shift, single);
    const pivot = pivotAt(j);
    if (pivot >= 0) ownWeights[pivot] = kappa;
    if (pivot >= 0 && ridge === 0) {
      for (let c = 0; c < channels; c++) own[pivot * wide + c] = kappa * values[j * channels + c]!;
      own[pivot * wide + channels] = kappa;
      continue;
    }
    factorRow(prefix, keys, j, space.columns, space.factor);
    for (let t = 0; t < rank; t++) {
      const weight = space.factor[t]! * kappa;
      const to = t * wide;
      for (let c = 0; c < channels; c++) mixed[to + c] = mixed[to + c]! + weight * values[j * channels + c]!;
      mixed[to + channels] = mixed[to + channels]! + weight;
    }
  }
  prefix.keys += length;
  widenRange(prefix);
}

function widenRange({ plan, low, high, lowest, highest }: Prefix): void {
  for (let c = 0; c < low.length; c++) {
    const least = low[c]!;
    const largest = high[c]!;
    const magnitude = Math.max(Math.abs(least), Math.abs(largest));
    const room = roundingSlack(plan.single) * (largest - least) + offsetSlack(plan.single) * magnitude;
    lowest[c] = least - room;
    highest[c] = largest + room;
  }
}

/** Lets the shift rise to the largest |y|²/2 of new keys and scales the sums by what it rises. */
function raiseShift(prefix: Prefix, { keys, length }: Tokens): void {
  let largest = prefix.shift;
  for (let j = 0; j < length; j++) largest = Math.max(largest, halfSquare(keys, j, prefix.plan.width));
  if (largest === prefix.shift) return;
  const { mixed, own, ownWeights, plan } = prefix;
  const factor = exponential(prefix.shift - largest, plan.single);
  for (const sums of [mixed, own, ownWeights])
    for (let at = 0; at < sums.length; at++) sums[at] = sums[at]! * factor;
  prefix.shift = largest;
}
