import { log32 } from "../../../tensor/math/index.js";
import { exponential } from "../kernel/exponential.js";
import { roundingSlack } from "../settings.js";
import { factorRow, halfSquare, type Prefix, type RowSpace, type Tokens } from "./prefix.js";

/** One row of attention in its making, with what its gradient needs; one row after another uses the same arrays. */
export interface Row extends RowSpace {
  /** The average u = N/Z_p over the prefix, before and after it is moved into the range of the values: `[channels]`. */
  readonly raw: Float64Array;
  readonly average: Float64Array;
  /** 1 where u was replaced by the bound of its channel. */
  readonly clamped: Uint8Array;
  /** e^{x·y_j − μ}/Z of the keys of the chunk up to the row's own. */
  readonly weights: Float64Array;
  readonly output: Float64Array;
  /** Z_p e^{|x|²/2 + shift − μ}/Z: what the prefix weighs. */
  share: number;
  /** Z_p after its floor, in the scale of κ. */
  normaliser: number;
  floored: boolean;
}

/** Space for rows of at most `rank` pivots and `chunk` keys. */
export function emptyRow(rank: number, channels: number, chunk: number): Row {
  return {
    columns: new Float64Array(rank),
    factor: new Float64Array(rank),
    raw: new Float64Array(channels),
    average: new Float64Array(channels),
    clamped: new Uint8Array(channels),
    weights: new Float64Array(chunk),
    output: new Float64Array(channels),
    share: 0,
    normaliser: 1,
    floored: false,
  };
}

/**
 * The attention of query i of a chunk: over the keys of the chunk up to i exactly, and over those of the prefix through its
 * pivots, with one normaliser over both,
 *
 *   out = (Z_p u + Σ_j e_ij v_j)/(Z_p + Σ_j e_ij),   e_ij = e^{x_i·y_j},   u = Â_p V / Z_p,   Z_p = Â_p 1.
 *
 * Z_p is at least its certified bound max(m e^{x·ȳ}, Σ_{pivot keys} A_is), m the number and ȳ the mean of the keys of the
 * prefix (by Jensen), and u is moved into the range of the prefix's values, both with the slack of the other form.
 */
export function attendRow(
  prefix: Prefix | undefined,
  chunk: Tokens,
  i: number,
  row: Row,
  single: boolean,
): void {
  const { queries, keys, values } = chunk;
  const { weights, output, average } = row;
  const channels = output.length;
  const width = queries.length / chunk.length;
  let largest = -Infinity;
  for (let j = 0; j <= i; j++) {
    let score = 0;
    for (let c = 0; c < width; c++) score += queries[i * width + c]! * keys[j * width + c]!;
    weights[j] = score;
    if (!(score <= largest)) largest = score;
  }
  const scale = prefix ? attendPrefix(prefix, queries, i, row) : -Infinity;
  if (prefix) largest = Math.max(largest, scale + logarithm(row.normaliser, single));
  let total = 0;
  row.share = prefix ? row.normaliser * exponential(scale - largest, single) : 0;
  total += row.share;
  for (let j = 0; j <= i; j++) {
    weights[j] = exponential(weights[j]! - largest, single);
    total += weights[j]!;
  }
  row.share /= total;
  for (let j = 0; j <= i; j++) weights[j] = weights[j]! / total;
  for (let c = 0; c < channels; c++) {
    let sum = prefix ? row.share * average[c]! : 0;
    for (let j = 0; j <= i; j++) sum += weights[j]! * values[j * channels + c]!;
    output[c] = prefix?.finite === false ? NaN : sum;
  }
}

/** A logarithm within a few units of the last place of float32, the same everywhere: it only chooses a scale. */
function logarithm(x: number, single: boolean): number {
  return single ? log32(Math.fround(x)) : Math.log(x);
}

/** u and Z_p of one query; returns |x|²/2 + shift, the logarithm of the unit that Z_p is in. */
function attendPrefix(prefix: Prefix, queries: Float64Array, i: number, row: Row): number {
  const { rank, mixed, own, ownWeights, plan, low, high, lowest, highest } = prefix;
  const { channels, single, width } = plan;
  const { columns, factor, raw, average, clamped } = row;
  const wide = channels + 1;
  factorRow(prefix, queries, i, columns, factor);
  raw.fill(0);
  let z = 0;
  let certified = 0;
  for (let t = 0; t < rank; t++) {
    const f = factor[t]!;
    const g = columns[t]!;
    for (let c = 0; c < channels; c++) {
      raw[c] = raw[c]! + (f * mixed[t * wide + c]! + g * own[t * wide + c]!);
    }
    z += f * mixed[t * wide + channels]! + g * own[t * wide + channels]!;
    certified += g * ownWeights[t]!;
  }
  const half = halfSquare(queries, i, width);
  let mean = 0;
  for (let c = 0; c < width; c++) mean += queries[i * width + c]! * prefix.keySum[c]!;
  const jensen = prefix.keys * exponential(mean / prefix.keys - half - prefix.shift, single);
  const bound = Math.max(jensen, certified, single ? 2 ** -126 : 2 ** -1022);
  row.floored = z < bound * (1 - roundingSlack(single));
  row.normaliser = row.floored ? bound : z;
  for (let c = 0; c < channels; c++) {
    const value = raw[c]! / row.normaliser;
    raw[c] = value;
    clamped[c] = value < lowest[c]! || value > highest[c]! ? 1 : 0;
    average[c] = Math.min(Math.max(value, low[c]!), high[c]!);
  }
  return half + prefix.shift;
}
