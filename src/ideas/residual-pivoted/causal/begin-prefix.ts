import type { Floats } from "../../../tensor/index.js";
import type { PivotSource } from "../kernel/choose-pivots.js";
import { pickPivot, pivotMass } from "../kernel/pivot-law.js";
import { pointScale } from "../kernel/points.js";
import { startResidual } from "../kernel/residual.js";
import { dustTolerance } from "../settings.js";
import { absorb, gaussian, halfSquare, type CausalPlan, type Prefix, type RowSpace } from "./prefix.js";

/** The tokens so far: q and k `[length, width]`, v `[length, channels]`. */
export interface Past {
  readonly length: number;
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
}

/** x/d^¼ of `length` rows from row `from` on, each less `centre` first. */
export function scaledRows(
  rows: Floats,
  from: number,
  length: number,
  { width, single }: CausalPlan,
  centre?: Float64Array,
): Float64Array {
  const scale = pointScale(width, single);
  const out = new Float64Array(length * width);
  for (let at = 0; at < out.length; at++)
    out[at] = (rows[from * width + at]! - (centre?.[at % width] ?? 0)) * scale;
  return out;
}

/**
 * A prefix with pivots from the rows of [Q; K] of the past, drawn or held, that has taken in all of its keys. Writes the pivots'
 * rows (keys from `past.length` on) into `chosen`, −1 after the last.
 */
export function beginPrefix(
  plan: CausalPlan,
  past: Past,
  source: PivotSource,
  chosen: Int32Array,
  space: RowSpace,
): Prefix {
  const { width, channels, rank: capacity } = plan;
  const { length } = past;
  const wide = channels + 1;
  const centre = meanKey(past, width);
  const queries = scaledRows(past.q, 0, length, plan);
  const keys = scaledRows(past.k, 0, length, plan, centre);
  const points = new Float64Array(2 * length * width);
  points.set(queries);
  points.set(keys, length * width);
  const lower = new Float64Array(capacity * capacity);
  const pivots = new Float64Array(capacity * width);
  const finite = points.every((x) => Math.abs(x) < Infinity);
  const rank = finite ? choose({ plan, points, lower, pivots, rows: 2 * length }, source, chosen) : 0;
  const prefix: Prefix = {
    plan,
    rank,
    centre,
    pivots,
    lower,
    own: new Float64Array(capacity * wide),
    ownWeights: new Float64Array(capacity),
    mixed: new Float64Array(capacity * wide),
    shift: 0,
    keys: 0,
    keySum: new Float64Array(width),
    low: new Float64Array(channels).fill(Infinity),
    high: new Float64Array(channels).fill(-Infinity),
    lowest: new Float64Array(channels),
    highest: new Float64Array(channels),
    finite,
  };
  const pivotOf = new Int32Array(length).fill(-1);
  for (let t = 0; t < rank; t++) if (chosen[t]! >= length) pivotOf[chosen[t]! - length] = t;
  absorb(prefix, { length, queries, keys, values: past.v }, space, (key) => pivotOf[key]!);
  return prefix;
}

function meanKey({ k, length }: Past, width: number): Float64Array {
  const centre = new Float64Array(width);
  for (let at = 0; at < length * width; at++) centre[at % width] = centre[at % width]! + k[at]!;
  return centre.map((sum) => sum / length);
}

/** What the choice of pivots reads and writes. */
interface Choice {
  readonly plan: CausalPlan;
  readonly points: Float64Array;
  readonly rows: number;
  readonly lower: Float64Array;
  readonly pivots: Float64Array;
}

/** Chooses pivots and fills their points and factor; returns how many. */
function choose(choice: Choice, source: PivotSource, chosen: Int32Array): number {
  const { plan, points, rows, lower, pivots } = choice;
  const { width, rank: capacity, ridge } = plan;
  chosen.fill(-1);
  const rank =
    "held" in source ? holdPivots(choice, source.held, chosen) : drawPivots(choice, source, chosen);
  for (let t = 0; t < rank; t++) {
    pivots.set(points.subarray(chosen[t]! * width, (chosen[t]! + 1) * width), t * width);
  }
  if (ridge > 0) {
    lower.fill(0);
    for (let t = 0; t < rank; t++) lowerRow(choice, chosen, t, lower, capacity, ridge);
  }
  return Math.min(rank, rows);
}

/** Row t of L with L Lᵀ = G[S,S] + ridge, from the rows before it; returns the square of its last entry. */
function lowerRow(
  { plan, points }: Choice,
  chosen: Int32Array,
  t: number,
  lower: Float64Array,
  capacity: number,
  ridge: number,
): number {
  const { width, single } = plan;
  for (let s = 0; s <= t; s++) {
    let left = gaussian(points, chosen[t]!, points, chosen[s]!, width, single) + (s === t ? ridge : 0);
    for (let u = 0; u < s; u++) left -= lower[t * capacity + u]! * lower[s * capacity + u]!;
    if (s === t) {
      lower[t * capacity + t] = Math.sqrt(left);
      return left;
    }
    lower[t * capacity + s] = left / lower[s * capacity + s]!;
  }
  return 0;
}

/** Takes held rows up to the first −1; a repeated or exhausted row is passed over. */
function holdPivots(choice: Choice, held: Int32Array, chosen: Int32Array): number {
  const { plan, lower } = choice;
  const tolerance = dustTolerance(plan.rank, plan.single);
  let rank = 0;
  for (const row of held) {
    if (row < 0) break;
    chosen[rank] = row;
    if (lowerRow(choice, chosen, rank, lower, plan.rank, 0) > tolerance) rank++;
    else chosen[rank] = -1;
  }
  return rank;
}

/** Draws pivots by the law until the capacity is reached or only dust is left. */
function drawPivots(
  choice: Choice,
  source: Extract<PivotSource, { readonly law: unknown }>,
  chosen: Int32Array,
): number {
  const { plan, points, rows, lower } = choice;
  const { width, single, rank: capacity } = plan;
  const present = new Uint8Array(rows).fill(1);
  const logWeights = Float64Array.from(present, (_, i) => 2 * halfSquare(points, i, width));
  const buffers = {
    factor: new Float64Array(rows * capacity),
    diagonal: new Float64Array(rows),
    weights: new Float64Array(rows),
  };
  const tolerance = dustTolerance(capacity, single);
  const residual = startResidual({ single, capacity, present, logWeights, tolerance }, buffers);
  const { factor, diagonal } = buffers;
  const mass = new Float64Array(rows);
  for (let step = 0; step < capacity; step++) {
    const total = pivotMass(source.law, residual, mass);
    if (total === 0) break;
    const pivot = pickPivot(mass, total, source.uniforms[step]!);
    const t = residual.rank;
    const own = factor.subarray(pivot * capacity, pivot * capacity + t);
    let square = gaussian(points, pivot, points, pivot, width, single);
    for (let u = 0; u < t; u++) square -= own[u]! * own[u]!;
    if (!(square > tolerance)) {
      diagonal[pivot] = 0;
      continue;
    }
    const root = Math.sqrt(square);
    lower.set(own, t * capacity);
    lower[t * capacity + t] = root;
    for (let i = 0; i < rows; i++) {
      const at = i * capacity;
      let left = gaussian(points, i, points, pivot, width, single);
      for (let u = 0; u < t; u++) left -= factor[at + u]! * own[u]!;
      left /= root;
      factor[at + t] = left;
      diagonal[i] = Math.max(diagonal[i]! - left * left, 0);
    }
    diagonal[pivot] = 0;
    chosen[t] = pivot;
    residual.rank = t + 1;
  }
  return residual.rank;
}
