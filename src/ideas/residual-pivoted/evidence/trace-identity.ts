import type { Generator } from "../../../random/index.js";
import type { Floats } from "../../../tensor/index.js";
import { pickPivots } from "../kernel/pivot-law.js";
import type { Residual } from "../kernel/residual.js";
import type { PivotLaw } from "../settings.js";
import { followElimination, forEachPivot, type EliminationStep } from "./follow-elimination.js";
import { innerProduct } from "./inner-product.js";
import { layerParts, type LayerParts } from "./layer-parts.js";
import type { SampledMean } from "./sampling-interval.js";
import { trace, type Subject } from "./subject.js";

/** The trace identity at one rank of one kernel matrix; every trace is a fraction of tr K. */
export interface TraceCell {
  readonly rank: number;
  /** tr R. */
  readonly remaining: number;
  /** ‖R‖²_F / tr R, from the residual in float64. */
  readonly predicted: number;
  /** Σ_s p_s (tr R − tr R'_s): the kernel's elimination and the kernel's law, over every pivot. */
  readonly expected: number;
  /** The same with uniform pivots: the negative control. */
  readonly uniform: number;
  /** The mean over drawn pivots, and that over uniform ones, when draws were asked for. */
  readonly sampled?: SampledMean;
  readonly sampledUniform?: SampledMean;
}

/**
 * Follows one elimination of `subject` and evaluates E[tr R − tr R'] = ‖R‖²_F / tr R at each rank 0 … ranks − 1, or
 * until what remains of tr K is negligible ({@link followElimination}): there is always a cell at rank 0. Costs
 * O(ranks · rows² · ranks).
 *
 * Source: Chen, Epperly, Tropp, Webber, Randomly pivoted Cholesky (arXiv 2207.06503).
 */
export function traceIdentity(
  subject: Subject,
  ranks: number,
  law: PivotLaw,
  rng: Generator,
  draws = 0,
  parts: LayerParts = layerParts,
): readonly TraceCell[] {
  const { rows, kernel } = subject;
  const whole = trace(kernel, rows);
  const weights = Float64Array.from({ length: rows }, (_, i) => kernel[i * rows + i]! / whole);
  const cells: TraceCell[] = [];
  const evaluate = ({ rank, residual, exact, remaining, mass, total }: EliminationStep): void => {
    const decreases = traceDecreases(subject, residual, weights, parts);
    const law01 = mass.map((share) => share / total);
    const open = new Float64Array(rows);
    const count = parts.pivotMass("uniform", residual, open);
    const uniform = open.map((share) => share / count);
    const predicted = innerProduct(exact, exact) / remaining;
    const cell = {
      rank,
      remaining,
      predicted,
      expected: innerProduct(law01, decreases),
      uniform: innerProduct(uniform, decreases),
    };
    if (draws === 0) {
      cells.push(cell);
      return;
    }
    const spread = spreadOf(law01, decreases, predicted);
    // Both laws read the same numbers: nothing is said about the two means together that would need them to be independent.
    const uniforms = rng.uniforms(draws);
    cells.push({
      ...cell,
      sampled: { ...spread, draws, mean: meanOf(decreases, pickPivots(mass, total, uniforms)) },
      sampledUniform: { ...spread, draws, mean: meanOf(decreases, pickPivots(uniform, 1, uniforms)) },
    });
  };
  followElimination(subject, ranks, law, rng, evaluate, parts);
  return cells;
}

/** tr R − tr R'_s for every row s that can be a pivot, by the kernel's own elimination; 0 for the others. */
function traceDecreases(
  subject: Subject,
  residual: Residual,
  weights: Float64Array,
  parts: LayerParts,
): Float64Array {
  const decreases = new Float64Array(subject.rows);
  const visit = (pivot: number, after: Residual): void => {
    decreases[pivot] = weightedDecrease(weights, residual.diagonal, after.diagonal);
  };
  forEachPivot(subject, residual, visit, parts);
  return decreases;
}

/** Σ_i w_i (before_i − after_i). */
function weightedDecrease(weights: Float64Array, before: Floats, after: Floats): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]! * (before[i]! - after[i]!);
  return sum;
}

/** The mean of the values at `picks`. */
function meanOf(values: Float64Array, picks: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < picks.length; i++) sum += values[picks[i]!]!;
  return sum / picks.length;
}

function spreadOf(
  law: Float64Array,
  decreases: Float64Array,
  expected: number,
): Omit<SampledMean, "mean" | "draws"> {
  let variance = 0;
  let range = 0;
  for (let i = 0; i < law.length; i++) {
    if (law[i] === 0) continue;
    const distance = Math.abs(decreases[i]! - expected);
    variance += law[i]! * distance ** 2;
    range = Math.max(range, distance);
  }
  return { expected, variance, range };
}
