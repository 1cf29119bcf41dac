import { noGrad, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { called, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkEquivariance}. */
export interface EquivarianceOptions extends SubjectOptions {
  /** g: what is done to the inputs, such as a permutation of tokens. */
  readonly transform: (...xs: Tensor[]) => readonly Tensor[];
  /** h: what that does to the result. Default: nothing, which makes it invariance. */
  readonly result?: (y: Tensor) => Tensor;
  /** Largest error, relative to max(1, |value|∞); 0 asks for the same bits. Default 1e-12, and 1e-5 for float32. */
  readonly tolerance?: number;
}

/** f(g·x) = h·f(x) for a transformation g of the inputs and the one, h, that it makes of the result. */
export function checkEquivariance(
  subject: Subject,
  inputs: readonly Tensor[],
  options: EquivarianceOptions,
): LawResult {
  const comparison = new Comparison("Equivariance");
  const { transform, result = (y: Tensor) => y } = options;
  const [found, expected] = noGrad(() => [
    called(subject, transform(...inputs)),
    result(called(subject, inputs)),
  ]);
  const sources = { expected: "h·f(x)", found: "f(g·x)" };
  const tolerance = options.tolerance ?? (expected!.dtype === "float32" ? 1e-5 : 1e-12);
  if (tolerance === 0) comparison.bits("value", found!, expected!, sources);
  else
    comparison.tensors(found!, expected!, {
      part: "values",
      tolerance,
      where: "value",
      sources,
      scale: Math.max(1, largest(expected!.values())),
    });
  return comparison.result();
}

/** {@link checkEquivariance}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectEquivariance(
  subject: Subject,
  inputs: readonly Tensor[],
  options: EquivarianceOptions,
): LawResult {
  return requiredOf((f, xs) => checkEquivariance(f, xs, options), subject, inputs, options);
}
