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

/**
 * {@link pickPivot} for many uniform numbers of one law, in a few steps each instead of one a row. As the row never
 * falls when the uniform number grows, the search begins at the row of the slice of [0, 1) that the number lies in.
 * `mass` is read now, not later.
 */
export function pivotPicker(mass: Float64Array, total: number): (uniform: number) => number {
  const rows = mass.length;
  const sums = new Float64Array(rows);
  let cumulated = 0;
  let last = -1;
  for (let i = 0; i < rows; i++) {
    cumulated += mass[i]!;
    sums[i] = cumulated;
    if (mass[i] !== 0) last = i;
  }
  const search = (from: number, target: number): number => {
    let row = from;
    while (row < rows && !(sums[row]! > target)) row++;
    return row < rows ? row : last;
  };
  const first = new Int32Array(slices);
  let row = 0;
  for (let slice = 0; slice < slices; slice++) {
    row = search(row, (slice / slices) * total);
    first[slice] = row;
  }
  return (uniform) => search(first[Math.floor(uniform * slices)]!, uniform * total);
}
