import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import type { Residual } from "../kernel/residual.js";
import { followElimination, forEachPivot, type EliminationStep } from "./follow-elimination.js";
import { layerParts, type LayerParts } from "./layer-parts.js";
import { mathCheck } from "../../math-check.js";
import { pointsOf, randomProblem } from "./problem.js";
import { halfWidths } from "./sampling-interval.js";
import { exponentialSubject, matrixSubject, trace, type Subject } from "./subject.js";
import { symmetricEigenvalues } from "../spectrum/symmetric-eigenvalues.js";
import { traceIdentity } from "./trace-identity.js";
import { checksAlpha, samplingDraws, traceTolerance } from "./tolerances.js";

/** Sizes of the random problems: big enough for the rank asked for, small enough for a second. */
const tokens = 16;
const width = 8;
const problems = 6;

/** A random positive semidefinite matrix B Bᵀ, B `[rows, rank]` normal with uneven rows: `[rows, rows]`. */
export function randomPsdMatrix(rows: number, rank: number, rng: Generator): Float64Array {
  const factor = rng.normals(rows * rank);
  const scales = rng.uniforms(rows, 0.2, 3);
  const matrix = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      let sum = 0;
      for (let t = 0; t < rank; t++) sum += factor[i * rank + t]! * factor[j * rank + t]!;
      matrix[i * rows + j] = sum * scales[i]! * scales[j]!;
    }
  }
  return matrix;
}

function randomKernels(single: boolean, rng: Generator): readonly Subject[] {
  return Array.from({ length: problems }, (_, at) => {
    const size = { queries: tokens, keys: tokens, width, channels: 1 };
    return exponentialSubject(pointsOf(randomProblem(size, single, 0.4 + 0.4 * at, rng)));
  });
}

function randomMatrices(rng: Generator): readonly Subject[] {
  return Array.from({ length: problems }, (_, at) => {
    const rows = 2 * tokens;
    return matrixSubject(randomPsdMatrix(rows, 3 + 6 * at, rng), rows, false);
  });
}

/** The identities of the elimination on random kernels and random positive semidefinite matrices. */
export function kernelChecks(
  rank: number,
  rng: Generator,
  parts: LayerParts = layerParts,
): readonly MathCheck[] {
  const single = randomKernels(true, rng);
  const double = [...randomKernels(false, rng), ...randomMatrices(rng)];
  const statement =
    "E[tr R − tr R'] = ‖R‖²_F / tr R, in exact expectation over all pivots at every rank, of tr K";
  return [
    mathCheck(
      "trace identity, float32",
      statement,
      identityError(single, rank, rng, parts),
      traceTolerance(true),
    ),
    mathCheck(
      "trace identity, float64",
      statement,
      identityError(double, rank, rng, parts),
      traceTolerance(false),
    ),
    mathCheck(
      "mean residual, float64",
      "E[R'] = R − R²/tr R, entry by entry, of tr K",
      Math.max(...double.map((subject) => meanResidualError(subject, rank, rng, parts))),
      traceTolerance(false),
    ),
    ...sampledChecks(single, rank, rng, parts),
    mathCheck(
      "residual is positive semidefinite, float64",
      "−λ_min(R) / tr K, and |R_ij| − √(R_ii R_jj) of tr K",
      Math.max(...double.map((subject) => indefiniteness(subject, rank, rng, parts))),
      1e-12,
    ),
  ];
}

function identityError(
  subjects: readonly Subject[],
  rank: number,
  rng: Generator,
  parts: LayerParts,
): number {
  const errors = subjects.flatMap((subject) =>
    traceIdentity(subject, rank, "exp", rng, 0, parts).map((cell) =>
      Math.abs(cell.expected - cell.predicted),
    ),
  );
  return Math.max(...errors);
}

function sampledChecks(
  subjects: readonly Subject[],
  rank: number,
  rng: Generator,
  parts: LayerParts,
): readonly MathCheck[] {
  const cells = subjects.flatMap((subject) => traceIdentity(subject, rank, "exp", rng, samplingDraws, parts));
  const alpha = checksAlpha / cells.length;
  const worst = (sampled: "sampled" | "sampledUniform"): number =>
    Math.max(...cells.map((cell) => halfWidths(cell[sampled]!, traceTolerance(true), alpha)));
  const unit = "in half-widths of the family-wise 99.5 % interval";
  return [
    mathCheck(
      "sampled trace identity",
      `|mean over drawn pivots − ‖R‖²_F / tr R| ${unit}`,
      worst("sampled"),
      1,
    ),
    mathCheck(
      "uniform pivots break the identity",
      `1 / (largest |mean over uniform pivots − ‖R‖²_F / tr R| ${unit})`,
      1 / worst("sampledUniform"),
      1,
    ),
  ];
}

/** The largest entry of E[R'] − (R − R²/tr R), of tr K, over ranks 0 … rank − 1 of one elimination. */
export function meanResidualError(
  subject: Subject,
  rank: number,
  rng: Generator,
  parts: LayerParts = layerParts,
): number {
  const { rows } = subject;
  const whole = trace(subject.kernel, rows);
  const roots = Float64Array.from({ length: rows }, (_, i) =>
    Math.sqrt(subject.kernel[i * rows + i]! / whole),
  );
  let worst = 0;
  const compare = ({ residual, exact, remaining, mass, total }: EliminationStep): void => {
    const drop = new Float64Array(rows * rows);
    const add = (pivot: number, after: Residual): void => {
      if (after.rank === residual.rank) return;
      const at = residual.rank * rows;
      const share = mass[pivot]! / total;
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < rows; j++) {
          const outer = after.factor[at + i]! * after.factor[at + j]! * roots[i]! * roots[j]!;
          drop[i * rows + j] = drop[i * rows + j]! + share * outer;
        }
      }
    };
    forEachPivot(subject, residual, add, parts);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows; j++) {
        let square = 0;
        for (let t = 0; t < rows; t++) square += exact[i * rows + t]! * exact[t * rows + j]!;
        worst = Math.max(worst, Math.abs(drop[i * rows + j]! - square / remaining));
      }
    }
  };
  followElimination(subject, rank, "exp", rng, compare, parts);
  return worst;
}

/** Least e, of tr K, with R + e·I semidefinite and |R_ij| ≤ √((R_ii + e)(R_jj + e)) for the kernel's residual at every rank. */
function indefiniteness(subject: Subject, rank: number, rng: Generator, parts: LayerParts): number {
  const { rows, kernel } = subject;
  const whole = trace(kernel, rows);
  let worst = 0;
  const examine = ({ residual }: EliminationStep): void => {
    const left = residualMatrix(subject, residual.factor, residual.rank).map((entry) => entry / whole);
    const least = symmetricEigenvalues(left, rows)[rows - 1]!;
    worst = Math.max(worst, -least);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < rows; j++) {
        worst = Math.max(worst, pairExcess(left[i * rows + i]!, left[j * rows + j]!, left[i * rows + j]!));
      }
    }
  };
  followElimination(subject, rank, "exp", rng, examine, parts);
  return worst;
}

/**
 * Least e with |c| ≤ √((a + e)(b + e)): minus the least eigenvalue of [[a, c], [c, b]]. Unlike |c| − √(a·b) it does not grow
 * without bound over the rounding errors of a and b where one of the two is all but 0.
 */
export function pairExcess(a: number, b: number, c: number): number {
  return Math.hypot((a - b) / 2, c) - (a + b) / 2;
}

/** R = K − F Fᵀ in the scale of `subject.kernel`: `[rows, rows]`. */
export function residualMatrix(subject: Subject, factor: ArrayLike<number>, rank: number): Float64Array {
  const { rows, kernel } = subject;
  const left = kernel.slice();
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      let sum = 0;
      for (let t = 0; t < rank; t++) sum += factor[t * rows + i]! * factor[t * rows + j]!;
      const scale = Math.sqrt(kernel[i * rows + i]! * kernel[j * rows + j]!);
      left[i * rows + j] = left[i * rows + j]! - scale * sum;
    }
  }
  return left;
}
