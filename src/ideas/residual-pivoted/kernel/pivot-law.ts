import { exponential } from "./exponential.js";
import type { Residual } from "./residual.js";
import type { PivotLaw } from "../settings.js";

/**
 * Fills `mass` with the unnormalised probability of each row to be the next pivot, and returns its sum; 0 when no
 * row is left. `exp`: K_ii of the residual of the exponential kernel; `gaussian`: that of the Gaussian kernel;
 * `uniform`: 1; `greedy`: 1 at the largest K_ii, the first of equals. Rows of dust have none under any law.
 */
export function pivotMass(law: PivotLaw, residual: Residual, mass: Float64Array): number {
  const weighted = law === "exp" || law === "greedy";
  if (weighted && residual.rank === 0) weighPresent(residual);
  let total = fillMass(law, residual, mass);
  if (weighted && total === 0 && weighPresent(residual)) total = fillMass(law, residual, mass);
  return total;
}

/**
 * Sets the weights e^{logWeight − largest} with the largest over the rows that can still be pivots, and says
 * whether there are any. Called again when rows are left but all their weights have underflowed.
 */
function weighPresent(residual: Residual): boolean {
  const { single, rows, diagonal, weights, logWeights, tolerance } = residual;
  let largest = -Infinity;
  for (let i = 0; i < rows; i++) {
    if (diagonal[i]! > tolerance && logWeights[i]! > largest) largest = logWeights[i]!;
  }
  if (largest === -Infinity) return false;
  for (let i = 0; i < rows; i++) {
    weights[i] = diagonal[i]! > tolerance ? exponential(logWeights[i]! - largest, single) : 0;
  }
  return true;
}

function fillMass(law: PivotLaw, residual: Residual, mass: Float64Array): number {
  const { rows, diagonal, weights, tolerance } = residual;
  let total = 0;
  let best = -1;
  for (let i = 0; i < rows; i++) {
    const left = diagonal[i]!;
    let share = 0;
    if (left > tolerance) share = law === "uniform" ? 1 : law === "gaussian" ? left : left * weights[i]!;
    mass[i] = share;
    total += share;
    if (share > 0 && (best < 0 || share > mass[best]!)) best = i;
  }
  if (law !== "greedy" || best < 0) return total;
  mass.fill(0);
  mass[best] = 1;
  return 1;
}

/**
 * The row s with probability mass_s / total: the first whose cumulated mass exceeds uniform · total, for a uniform
 * number in [0, 1). Never a row without mass. `total` must be positive.
 */
export function pickPivot(mass: Float64Array, total: number, uniform: number): number {
  const target = uniform * total;
  let cumulated = 0;
  let last = -1;
  for (let i = 0; i < mass.length; i++) {
    const share = mass[i]!;
    if (share === 0) continue;
    cumulated += share;
    last = i;
    if (cumulated > target) return i;
  }
  return last;
}

/** A power of two, so that the bounds of the slices are exact. */
const slices = 1024;

/** A law of pivots as {@link pickRow} reads it. */
interface CumulatedLaw {
  /** Cumulated mass, row by row. */
  readonly sums: Float64Array;
  /** The last row with mass. */
  readonly last: number;
  /** The row that is picked at the beginning of each slice of [0, 1). */
  readonly first: Int32Array;
}

function cumulated(mass: Float64Array, total: number): CumulatedLaw {
  const rows = mass.length;
  const sums = new Float64Array(rows);
  let sum = 0;
  let last = -1;
  for (let i = 0; i < rows; i++) {
    sum += mass[i]!;
    sums[i] = sum;
    if (mass[i] !== 0) last = i;
  }
  const first = new Int32Array(slices);
  let row = 0;
  for (let slice = 0; slice < slices; slice++) {
    const target = (slice / slices) * total;
    while (row < last && !(sums[row]! > target)) row++;
    first[slice] = row;
  }
  return { sums, last, first };
}

/**
 * {@link pickPivot} in a few steps instead of one a row: as the row never falls when the uniform number grows, the search
 * begins at the row of the slice that the number lies in.
 */
function pickRow(
  total: number,
  sums: Float64Array,
  last: number,
  first: Int32Array,
  uniform: number,
): number {
  const target = uniform * total;
  let row = first[(uniform * slices) | 0]!;
  while (row < last && !(sums[row]! > target)) row++;
  return row;
}

/** {@link pickPivot} for many uniform numbers of one law, one at a time. `mass` is read now, not later. */
export function pivotPicker(mass: Float64Array, total: number): (uniform: number) => number {
  const { sums, last, first } = cumulated(mass, total);
  return (uniform) => pickRow(total, sums, last, first, uniform);
}

/** {@link pickPivot} for many uniform numbers of one law, all at once. */
export function pickPivots(mass: Float64Array, total: number, uniforms: Float64Array): Int32Array {
  const { sums, last, first } = cumulated(mass, total);
  const picks = new Int32Array(uniforms.length);
  for (let i = 0; i < picks.length; i++) picks[i] = pickRow(total, sums, last, first, uniforms[i]!);
  return picks;
}
