import { noGrad, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { symmetricEigenvalues } from "../../ideas/residual-pivoted/spectrum/symmetric-eigenvalues.js";
import { formatShape } from "../../tensor/index.js";
import { Comparison } from "../comparison.js";
import { largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { called, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkPositiveSemidefinite}. */
export interface PositiveSemidefiniteOptions extends SubjectOptions {
  /** Largest asymmetry and most negative eigenvalue, relative to the largest element of the matrix. Default 1e-12, and 1e-5 for float32. */
  readonly tolerance?: number;
}

/** The result `[…, n, n]` is symmetric, and no eigenvalue of any of its matrices is below 0. */
export function checkPositiveSemidefinite(
  subject: Subject,
  inputs: readonly Tensor[],
  options: PositiveSemidefiniteOptions = {},
): LawResult {
  const comparison = new Comparison("PositiveSemidefinite");
  const result = noGrad(() => called(subject, inputs));
  const n = result.shape.at(-1) ?? 0;
  if (result.rank < 2 || result.shape.at(-2) !== n)
    fail("E_SHAPE", `PositiveSemidefinite: expected a result [..., n, n], got ${formatShape(result.shape)}`);
  const tolerance = options.tolerance ?? (result.dtype === "float32" ? 1e-5 : 1e-12);
  const scale = largest(result.values()) || 1;
  comparison.tensors(result, result.transpose(), {
    part: "symmetry",
    tolerance,
    where: "the matrix",
    scale,
    sources: { expected: "transposed", found: "as it is" },
  });
  if (!comparison.result().passed) return comparison.result();
  const values = Float64Array.from(result.values());
  for (let at = 0; n > 0 && at < values.length / (n * n); at++) {
    const eigenvalues = symmetricEigenvalues(values.slice(at * n * n, (at + 1) * n * n), n);
    const least = eigenvalues.at(-1)!;
    comparison.error("eigenvalues", tolerance, Math.max(0, -least) / scale, () => ({
      where: result.rank > 2 ? `least eigenvalue of matrix ${at}` : "least eigenvalue",
      expected: "at least 0",
      found: least,
    }));
  }
  return comparison.result();
}

/** {@link checkPositiveSemidefinite}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectPositiveSemidefinite(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: PositiveSemidefiniteOptions,
): LawResult {
  return requiredOf(checkPositiveSemidefinite, subject, inputs, options);
}
