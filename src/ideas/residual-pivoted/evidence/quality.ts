import type { Generator } from "../../../random/index.js";
import type { Points } from "../kernel/points.js";
import { exactAttention, meanOfValues, pointsOf, runRepeatedly, type Problem, type Run } from "./problem.js";
import { pivotLaws, type PivotLaw, type Settings } from "../settings.js";
import { exponentialSubject, trace, type Subject } from "./subject.js";
import { symmetricEigenvalues } from "../spectrum/symmetric-eigenvalues.js";

/** What a choice of pivots is worth on one problem. */
export interface LawQuality {
  /** tr R_r / tr K. */
  readonly traceLeft: number;
  /** ‖ô − o‖ / ‖o‖ of the normalised output against exact attention. */
  readonly outputError: number;
  /** Shares of normalisers that were floored and of outputs that were clamped. */
  readonly floored: number;
  readonly clamped: number;
}

/** What the approximation of one problem is worth, beside what it could be and beside doing nothing. */
export interface Quality {
  /** Σ_{j>r} λ_j / Σ λ: the least tr R_r / tr K that any rank-r approximation reaches. */
  readonly optimalTrace: number;
  /** ‖mean(V) − o‖ / ‖o‖: the error of attending to nothing in particular. */
  readonly meanOfValuesError: number;
  readonly laws: Readonly<Record<PivotLaw, LawQuality>>;
}

/**
 * Evaluates every law of pivots on a problem, the random ones as means over `repeats` choices. Its points and their
 * kernel may be given when they are known.
 */
export function measureQuality(
  problem: Problem,
  settings: Settings,
  rng: Generator,
  repeats: number,
  points: Points = pointsOf(problem),
  { kernel, rows }: Subject = exponentialSubject(points),
): Quality {
  const exact = exactAttention(points, problem.v, problem.size.channels);
  const whole = trace(kernel, rows);
  const leading = symmetricEigenvalues(kernel, rows)
    .subarray(0, settings.rank)
    .reduce((sum, value) => sum + value, 0);
  const diagonal = Float64Array.from({ length: rows }, (_, i) => kernel[i * rows + i]! / whole);
  const qualityOf = (law: PivotLaw): LawQuality => {
    const runs = runRepeatedly(problem, { ...settings, pivots: law }, rng, law === "greedy" ? 1 : repeats);
    return meanQuality(runs, diagonal, exact);
  };
  return {
    optimalTrace: Math.max(0, (whole - leading) / whole),
    meanOfValuesError: relativeError(meanOfValues(problem), exact),
    laws: Object.fromEntries(pivotLaws.map((law) => [law, qualityOf(law)])) as Record<PivotLaw, LawQuality>,
  };
}

function meanQuality(runs: readonly Run[], diagonal: Float64Array, exact: Float64Array): LawQuality {
  const average = (of: (run: Run) => number): number =>
    runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
  return {
    traceLeft: average((run) => traceLeft(run, diagonal)),
    outputError: average((run) => relativeError(run.output, exact)),
    floored: average((run) => share(run.tape.floored)),
    clamped: average((run) => share(run.tape.clamped)),
  };
}

/** Σ_i K_ii (1 − Σ_t F_it²) / tr K over the rows that are no pivots. */
function traceLeft({ tape, rank }: Run, diagonal: Float64Array): number {
  const rows = diagonal.length;
  const pivots = new Set(tape.pivots.subarray(0, rank));
  let left = 0;
  for (let i = 0; i < rows; i++) {
    if (pivots.has(i)) continue;
    let residual = 1;
    for (let t = 0; t < rank; t++) residual -= tape.factor[t * rows + i]! ** 2;
    left += diagonal[i]! * Math.max(0, residual);
  }
  return left;
}

/** ‖a − b‖ / ‖b‖ over all entries. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let difference = 0;
  let norm = 0;
  for (let i = 0; i < b.length; i++) {
    difference += (a[i]! - b[i]!) ** 2;
    norm += b[i]! ** 2;
  }
  return Math.sqrt(difference / norm);
}

function share(flags: Uint8Array): number {
  let set = 0;
  for (let i = 0; i < flags.length; i++) set += flags[i]!;
  return set / flags.length;
}
