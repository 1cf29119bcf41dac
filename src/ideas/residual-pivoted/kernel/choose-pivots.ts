import { gaussianColumn, type Points } from "./points.js";
import { pickPivot, pivotMass } from "./pivot-law.js";
import { eliminate, type Residual } from "./residual.js";
import type { PivotLaw } from "../settings.js";

/**
 * Pivots from first to last: either drawn, one uniform number in [0, 1) a step (a rejected pivot spends its number),
 * or held up to the first −1, in which case a repeated or exhausted row is passed over.
 */
export type PivotSource =
  { readonly law: PivotLaw; readonly uniforms: Float64Array } | { readonly held: Int32Array };

/**
 * Eliminates the kernel of `points` from the start of `residual` until its capacity is reached or no row is more than
 * dust of its own diagonal (why not of tr K: see `dustTolerance`). Writes the pivots' rows into `pivots` and their
 * Gaussian columns into `columns` `[capacity, rows]`. `mass` is scratch of one number a row. Returns the rank reached.
 */
export function choosePivots(
  points: Points,
  residual: Residual,
  source: PivotSource,
  pivots: Int32Array,
  columns: Points["rows"],
  mass: Float64Array,
): number {
  const { rows, capacity } = residual;
  for (let step = 0; step < capacity; step++) {
    let pivot: number;
    if ("held" in source) {
      pivot = source.held[step]!;
      if (pivot < 0) break;
    } else {
      const total = pivotMass(source.law, residual, mass);
      if (total === 0) break;
      pivot = pickPivot(mass, total, source.uniforms[step]!);
    }
    const column = columns.subarray(residual.rank * rows, (residual.rank + 1) * rows);
    gaussianColumn(points, pivot, column);
    if (eliminate(residual, pivot, column)) pivots[residual.rank - 1] = pivot;
  }
  return residual.rank;
}
