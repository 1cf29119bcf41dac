import type { Floats } from "../../../tensor/index.js";
import type { Generator } from "../../../random/index.js";
import { pickPivot } from "../kernel/pivot-law.js";
import { copyResidual, type Residual } from "../kernel/residual.js";
import type { PivotLaw } from "../settings.js";
import { layerParts, type LayerParts } from "./layer-parts.js";
import { eliminateExactly, startOn, trace, type Subject } from "./subject.js";
import { negligibleTrace } from "./tolerances.js";

/** An elimination before one of its pivots. */
export interface EliminationStep {
  readonly rank: number;
  /** The kernel's own residual. */
  readonly residual: Residual;
  /** R / tr K in float64, by definition: `[rows, rows]`. */
  readonly exact: Float64Array;
  /** tr R / tr K. */
  readonly remaining: number;
  /** The unnormalised law of the next pivot, and its sum. */
  readonly mass: Float64Array;
  readonly total: number;
}

/**
 * Draws `ranks` pivots one after another and shows the elimination before each; fewer when no row can be a pivot, or
 * when what remains of tr K is {@link negligibleTrace}.
 */
export function followElimination(
  subject: Subject,
  ranks: number,
  law: PivotLaw,
  rng: Generator,
  visit: (step: EliminationStep) => void,
  { pivotMass, eliminate }: LayerParts = layerParts,
): void {
  const { rows, kernel, single } = subject;
  const exact = divided(kernel, trace(kernel, rows));
  const residual = startOn(subject, ranks);
  const mass = new Float64Array(rows);
  const column: Floats = single ? new Float32Array(rows) : new Float64Array(rows);
  for (let rank = 0; rank < ranks; rank++) {
    const remaining = trace(exact, rows);
    if (remaining <= negligibleTrace(ranks, single)) return;
    const total = pivotMass(law, residual, mass);
    if (total === 0) return;
    visit({ rank, residual, exact, remaining, mass, total });
    const pivot = pickPivot(mass, total, rng.uniform());
    subject.column(pivot, column);
    if (eliminate(residual, pivot, column)) eliminateExactly(exact, rows, pivot);
  }
}

/** Every entry by `divisor`. */
function divided(entries: Float64Array, divisor: number): Float64Array {
  const out = new Float64Array(entries.length);
  for (let at = 0; at < out.length; at++) out[at] = entries[at]! / divisor;
  return out;
}

/** Eliminates each possible pivot in turn from the same residual and shows what it leaves. */
export function forEachPivot(
  subject: Subject,
  residual: Residual,
  visit: (pivot: number, after: Residual) => void,
  { eliminate }: LayerParts = layerParts,
): void {
  const after = copyResidual(residual);
  const column: Floats = subject.single ? new Float32Array(subject.rows) : new Float64Array(subject.rows);
  for (let pivot = 0; pivot < subject.rows; pivot++) {
    if (residual.diagonal[pivot]! <= residual.tolerance) continue;
    after.diagonal.set(residual.diagonal);
    after.rank = residual.rank;
    subject.column(pivot, column);
    eliminate(after, pivot, column);
    visit(pivot, after);
  }
}
