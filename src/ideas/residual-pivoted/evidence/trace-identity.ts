import type { Floats } from "../../../tensor/index.js";
import type { Generator } from "../../../random/index.js";
import { pickPivot, pivotMass } from "../kernel/pivot-law.js";
import { copyResidual, eliminate, type Residual } from "../kernel/residual.js";
import type { SampledMean } from "./sampling-interval.js";
import type { PivotLaw } from "../settings.js";
import { eliminateExactly, startOn, trace, type Subject } from "./subject.js";

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
 * Follows one elimination of `subject` and evaluates E[tr R − tr R'] = ‖R‖²_F / tr R at each rank 0 … ranks − 1
 * (fewer when nothing but dust is left). Costs O(ranks · rows² · ranks).
 *
 * Source: Chen, Epperly, Tropp, Webber, Randomly pivoted Cholesky (arXiv 2207.06503).
 */
export function traceIdentity(
  subject: Subject,
  ranks: number,
  law: PivotLaw,
  rng: Generator,
  draws = 0,
): readonly TraceCell[] {
  const { rows, kernel } = subject;
  const whole = trace(kernel, rows);
  const weights = Float64Array.from({ length: rows }, (_, i) => kernel[i * rows + i]! / whole);
  const residual = startOn(subject, ranks);
  const exact = kernel.map((entry) => entry / whole);
  const mass = new Float64Array(rows);
  const column = subject.single ? new Float32Array(rows) : new Float64Array(rows);
  const cells: TraceCell[] = [];
  for (let rank = 0; rank < ranks; rank++) {
    const total = pivotMass(law, residual, mass);
    if (total === 0) break;
    const decreases = traceDecreases(subject, residual, weights);
    const law01 = mass.map((share) => share / total);
    const uniform = uniformLaw(residual);
    const predicted = squaredNorm(exact) / trace(exact, rows);
    const cell = {
      rank,
      remaining: trace(exact, rows),
      predicted,
      expected: dot(law01, decreases),
      uniform: dot(uniform, decreases),
    };
    if (draws === 0) cells.push(cell);
    else {
      const spread = spreadOf(law01, decreases, predicted);
      cells.push({
        ...cell,
        sampled: { ...spread, draws, mean: sampleMean(mass, total, decreases, draws, rng) },
        sampledUniform: { ...spread, draws, mean: sampleMean(uniform, 1, decreases, draws, rng) },
      });
    }
    const pivot = pickPivot(mass, total, rng.uniform());
    subject.column(pivot, column);
    if (eliminate(residual, pivot, column)) eliminateExactly(exact, rows, pivot);
  }
  return cells;
}

/** tr R − tr R'_s for every row s that can be a pivot, by the kernel's own elimination; 0 for the others. */
export function traceDecreases(subject: Subject, residual: Residual, weights: Float64Array): Float64Array {
  const decreases = new Float64Array(subject.rows);
  forEachPivot(subject, residual, (pivot, after) => {
    let decrease = 0;
    for (let i = 0; i < subject.rows; i++) {
      decrease += weights[i]! * (residual.diagonal[i]! - after.diagonal[i]!);
    }
    decreases[pivot] = decrease;
  });
  return decreases;
}

/** Eliminates each possible pivot in turn from the same residual and shows what it leaves. */
export function forEachPivot(
  subject: Subject,
  residual: Residual,
  visit: (pivot: number, after: Residual) => void,
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

function uniformLaw(residual: Residual): Float64Array {
  const open = Float64Array.from(residual.diagonal, (left) => (left > residual.tolerance ? 1 : 0));
  const count = open.reduce((sum, one) => sum + one, 0);
  return open.map((one) => one / count);
}

function sampleMean(
  mass: Float64Array,
  total: number,
  decreases: Float64Array,
  draws: number,
  rng: Generator,
): number {
  let sum = 0;
  for (let draw = 0; draw < draws; draw++) sum += decreases[pickPivot(mass, total, rng.uniform())]!;
  return sum / draws;
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

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function squaredNorm(a: Float64Array): number {
  return dot(a, a);
}
