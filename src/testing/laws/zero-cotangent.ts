import { vjp, zerosLike, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** A cotangent of zeros gives gradients of zeros exactly (either sign), in the shapes and types of the inputs. */
export function checkZeroCotangent(
  subject: Subject,
  inputs: readonly Tensor[],
  options: SubjectOptions = {},
): LawResult {
  const comparison = new Comparison("ZeroCotangent");
  const { f, points, names } = problemOf(subject, inputs, options);
  const { value, pullback } = vjp(f, ...points);
  pullback(zerosLike(value)).forEach((g, i) =>
    comparison.tensors(g, zerosLike(points[i]!), {
      part: "zeros",
      tolerance: 0,
      where: `gradient of ${names[i]} for a cotangent of zeros`,
    }),
  );
  return comparison.result();
}

/** {@link checkZeroCotangent}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectZeroCotangent(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: SubjectOptions,
): LawResult {
  return requiredOf(checkZeroCotangent, subject, inputs, options);
}
