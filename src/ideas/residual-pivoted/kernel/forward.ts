import type { Floats } from "../../../tensor/index.js";
import { choosePivots, type PivotSource } from "./choose-pivots.js";
import { combineRow } from "./combine-row.js";
import { exponential } from "./exponential.js";
import { placePoints, type Mask } from "./points.js";
import { startResidual } from "./residual.js";
import { readLower, refactorWithRidge } from "./ridge-factor.js";
import { dustTolerance, offsetSlack, roundingSlack } from "../settings.js";
import { problemStates, type ProblemTape } from "./tape.js";

/** Working space that one problem after another uses. */
export interface ForwardScratch {
  readonly diagonal: Floats;
  readonly weights: Float64Array;
  readonly mass: Float64Array;
}

/** The arrays of one problem: q `[queries, width]`, k `[keys, width]`, v `[keys, channels]`. */
export interface ProblemInputs {
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
  readonly queryMask: Mask;
  readonly keyMask: Mask;
}

/** Scratch for problems of the size of `tape`. */
export function forwardScratch(rows: number, single: boolean): ForwardScratch {
  return {
    diagonal: single ? new Float32Array(rows) : new Float64Array(rows),
    weights: new Float64Array(rows),
    mass: new Float64Array(rows),
  };
}

/**
 * out = Â κ [V, 1] with Â = F_q F_kᵀ, normalised, floored and clamped: `[queries, channels]`, written into `out`.
 * Without a ridge Â is A in the rows and columns of the pivots, and these are taken from A itself. Fills the tape and
 * returns the rank reached and the state of the problem. Masked queries, and every query when all keys are
 * masked, give exactly 0. An unmasked query or key that is not finite makes the whole output NaN.
 */
export function forwardProblem(
  tape: ProblemTape,
  inputs: ProblemInputs,
  source: PivotSource,
  ridge: number,
  scratch: ForwardScratch,
  out: Floats,
): { readonly rank: number; readonly state: number } {
  const { points, single, capacity, factor } = tape;
  const finite = placePoints(points, inputs.q, inputs.k, inputs.queryMask, inputs.keyMask);
  const keys = presentKeys(tape);
  if (keys === 0) return { rank: 0, state: problemStates.empty };
  if (!finite) {
    out.fill(NaN);
    return { rank: 0, state: problemStates.notFinite };
  }
  const residual = startResidual(
    {
      single,
      capacity,
      present: points.present,
      logWeights: points.squaredNorms,
      tolerance: dustTolerance(capacity, single),
    },
    { factor, diagonal: scratch.diagonal, weights: scratch.weights },
  );
  const rank = choosePivots(points, residual, source, tape.pivots, tape.columns, scratch.mass);
  readLower(tape, rank);
  if (ridge > 0) refactorWithRidge(tape, rank, ridge);
  const shift = weighKeys(tape);
  if (ridge === 0) for (let t = 0; t < rank; t++) tape.exact[tape.pivots[t]!] = 1;
  mixValues(tape, rank, inputs.v);
  const ranges = valueRanges(tape, inputs.v);
  for (let i = 0; i < points.queries; i++) {
    if (points.present[i] === 0) continue;
    const z = combineRow(tape, rank, i, inputs.v);
    normaliseRow(tape, rank, i, z, keys, shift, ranges, out);
  }
  return { rank, state: problemStates.ordinary };
}

function presentKeys(tape: ProblemTape): number {
  const { queries, keys, present } = tape.points;
  let count = 0;
  for (let j = 0; j < keys; j++) count += present[queries + j]!;
  return count;
}

/** κ_j = e^{|y_j|²/2 − m} with m the largest |y_j|²/2 over the unmasked keys, which is returned. */
function weighKeys(tape: ProblemTape): number {
  const { points, keyWeights, single } = tape;
  const { queries, keys, present, squaredNorms } = points;
  let largest = 0;
  for (let j = 0; j < keys; j++) largest = Math.max(largest, squaredNorms[queries + j]! / 2);
  for (let j = 0; j < keys; j++) {
    keyWeights[j] =
      present[queries + j] === 0 ? 0 : exponential(squaredNorms[queries + j]! / 2 - largest, single);
  }
  return largest;
}

/** F_kᵀ κ [V, 1] over the keys that are not exact. */
function mixValues(tape: ProblemTape, rank: number, v: Floats): void {
  const { single, mixed, keyWeights, factor, size } = tape;
  const { queries, keys, channels } = size;
  const rows = queries + keys;
  for (let t = 0; t < rank; t++) {
    const at = t * (channels + 1);
    for (let j = 0; j < keys; j++) {
      const weight = keyWeights[j]!;
      if (weight === 0 || tape.exact[queries + j] === 1) continue;
      const f = factor[t * rows + queries + j]!;
      const scaled = single ? Math.fround(f * weight) : f * weight;
      for (let c = 0; c < channels; c++) {
        const product = single ? Math.fround(scaled * v[j * channels + c]!) : scaled * v[j * channels + c]!;
        mixed[at + c] = mixed[at + c]! + product;
      }
      mixed[at + channels] = mixed[at + channels]! + scaled;
    }
  }
}

/**
 * For each channel the least and the largest unmasked value, NaN where one is NaN, and what an output may be without
 * counting as clamped.
 */
interface ValueRanges {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly lowest: Floats;
  readonly highest: Floats;
}

function valueRanges(tape: ProblemTape, v: Floats): ValueRanges {
  const { queries, keys, channels } = tape.size;
  const { single } = tape;
  const low = new Float64Array(channels).fill(Infinity);
  const high = new Float64Array(channels).fill(-Infinity);
  for (let j = 0; j < keys; j++) {
    if (tape.points.present[queries + j] === 0) continue;
    for (let c = 0; c < channels; c++) {
      const value = v[j * channels + c]!;
      low[c] = Math.min(low[c]!, value);
      high[c] = Math.max(high[c]!, value);
    }
  }
  const lowest = single ? new Float32Array(channels) : new Float64Array(channels);
  const highest = lowest.slice();
  for (let c = 0; c < channels; c++) {
    const [least, largest] = [low[c]!, high[c]!];
    const magnitude = Math.max(Math.abs(least), Math.abs(largest));
    const room = roundingSlack(single) * (largest - least) + offsetSlack(single) * magnitude;
    lowest[c] = least - room;
    highest[c] = largest + room;
  }
  return { low, high, lowest, highest };
}

/**
 * One row of the output. The exact normaliser, in the scale of κ, is at least max(n e^{−|x_i|²/2 − m}, Σ_{s pivot key}
 * G_is κ_s), n the number of unmasked keys (the first by Jensen on centred keys, the second because the approximation
 * is exact in the pivots' columns and G is positive), and no less than the smallest normal number (2⁻¹²⁶, in float64
 * 2⁻¹⁰²²) is divided by. A normaliser that lies below the largest of the three by more than {@link roundingSlack} is
 * replaced by it; one within the slack is left alone, so that the row stays an average of values whose weights add up
 * to 1. The output is moved into the range of the values, which is an event beyond {@link roundingSlack} of the width
 * of the range and {@link offsetSlack} of its magnitude. Where an unmasked value is NaN the output is, even if no pivot
 * could be used and nothing of the value arrived.
 */
function normaliseRow(
  tape: ProblemTape,
  rank: number,
  i: number,
  z: number,
  keys: number,
  shift: number,
  { low, high, lowest, highest }: ValueRanges,
  out: Floats,
): void {
  const { single, points, size, raw } = tape;
  const { channels } = size;
  const at = i * channels;
  const bound = Math.max(
    keys * exponential(-points.squaredNorms[i]! / 2 - shift, single),
    pivotKeyMass(tape, rank, i),
    single ? 2 ** -126 : 2 ** -1022,
  );
  const below = z < bound * (1 - roundingSlack(single));
  if (below) tape.floored[i] = 1;
  tape.normaliser[i] = below ? bound : z;
  const normaliser = tape.normaliser[i]!;
  for (let c = 0; c < channels; c++) {
    const value = single ? Math.fround(raw[at + c]! / normaliser) : raw[at + c]! / normaliser;
    raw[at + c] = value;
    const least = low[c]!;
    const largest = high[c]!;
    if (value < lowest[c]! || value > highest[c]!) tape.clamped[at + c] = 1;
    out[at + c] = Number.isNaN(least) ? NaN : value < least ? least : value > largest ? largest : value;
  }
}

/** Σ over pivots that are keys of G_is κ_s. */
function pivotKeyMass(tape: ProblemTape, rank: number, i: number): number {
  const { columns, pivots, keyWeights, size } = tape;
  const rows = size.queries + size.keys;
  let mass = 0;
  for (let t = 0; t < rank; t++) {
    const key = pivots[t]! - size.queries;
    if (key >= 0) mass += columns[t * rows + i]! * keyWeights[key]!;
  }
  return mass;
}
