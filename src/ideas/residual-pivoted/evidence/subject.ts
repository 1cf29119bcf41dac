import type { Floats } from "../../../tensor/index.js";
import { gaussianMatrix, type Points } from "../kernel/points.js";
import { startResidual, type Residual } from "../kernel/residual.js";
import { dustTolerance } from "../settings.js";

/** A positive semidefinite matrix as the elimination sees it, beside itself in float64. */
export interface Subject {
  readonly single: boolean;
  readonly rows: number;
  readonly present: Uint8Array;
  /** log K_ii. */
  readonly logWeights: Float64Array;
  /** K in float64, divided by its largest diagonal entry: `[rows, rows]`. */
  readonly kernel: Float64Array;
  /** Column `pivot` of K scaled to unit diagonal, in the precision of the elimination. */
  column(pivot: number, out: Floats): void;
}

/** The exponential kernel of placed points; its columns are computed together, when one is first asked for. */
export function exponentialSubject(points: Points): Subject {
  const { single, present, squaredNorms } = points;
  const rows = present.length;
  let gaussian: Floats | undefined;
  const column = (pivot: number, out: Floats): void => {
    gaussian ??= gaussianMatrix(points);
    const at = pivot * rows;
    for (let i = 0; i < rows; i++) out[i] = gaussian[at + i]!;
  };
  return { single, rows, present, logWeights: squaredNorms, kernel: exponentialKernel(points), column };
}

/** e^{x_i·x_j} of every two rows, divided by the largest diagonal entry; 0 where one is masked. */
function exponentialKernel({ present, squaredNorms, rows: data, width }: Points): Float64Array {
  const rows = present.length;
  const kernel = new Float64Array(rows * rows);
  let largest = 0;
  for (let i = 0; i < rows; i++) largest = Math.max(largest, squaredNorms[i]!);
  for (let i = 0; i < rows; i++) {
    if (present[i] === 0) continue;
    const at = i * width;
    for (let j = i; j < rows; j++) {
      if (present[j] === 0) continue;
      const from = j * width;
      let product = -largest;
      for (let c = 0; c < width; c++) product += data[at + c]! * data[from + c]!;
      const entry = Math.exp(product);
      kernel[i * rows + j] = entry;
      kernel[j * rows + i] = entry;
    }
  }
  return kernel;
}

/** Any positive semidefinite matrix `[rows, rows]`; rows whose diagonal is 0 are masked. */
export function matrixSubject(matrix: Float64Array, rows: number, single: boolean): Subject {
  const roots = Float64Array.from({ length: rows }, (_, i) => Math.sqrt(matrix[i * rows + i]!));
  const largest = Math.max(...roots) ** 2;
  return {
    single,
    rows,
    present: Uint8Array.from(roots, (root) => (root > 0 ? 1 : 0)),
    logWeights: roots.map((root) => 2 * Math.log(root)),
    kernel: matrix.map((entry) => entry / largest),
    column(pivot, out) {
      for (let i = 0; i < rows; i++) {
        const scale = roots[i]! * roots[pivot]!;
        out[i] = i === pivot ? 1 : scale > 0 ? matrix[i * rows + pivot]! / scale : 0;
      }
    },
  };
}

/** The residual of a subject before its first pivot. */
export function startOn(subject: Subject, capacity: number): Residual {
  const { single, present, logWeights } = subject;
  return startResidual({ single, capacity, present, logWeights, tolerance: dustTolerance(capacity, single) });
}

/** The sum of the diagonal of a square matrix. */
export function trace(matrix: Float64Array, rows: number): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += matrix[i * rows + i]!;
  return sum;
}

/** R ← R − R_s R_sᵀ / R_ss in float64: the residual after pivot s, by definition. */
export function eliminateExactly(residual: Float64Array, rows: number, pivot: number): void {
  const column = new Float64Array(rows);
  for (let i = 0; i < rows; i++) column[i] = residual[i * rows + pivot]!;
  const pivotValue = column[pivot]!;
  if (!(pivotValue > 0)) return;
  for (let i = 0; i < rows; i++) {
    const scale = column[i]! / pivotValue;
    if (scale === 0) continue;
    const at = i * rows;
    for (let j = 0; j < rows; j++) residual[at + j] = residual[at + j]! - scale * column[j]!;
  }
}
