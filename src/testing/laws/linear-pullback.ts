import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkLinearPullback}. */
export interface LinearPullbackOptions extends SubjectOptions {
  /** Largest error of the gradient of a sum of cotangents, relative to max(1, |g|∞). Default 1e-12, and 1e-5 for float32. */
  readonly tolerance?: number;
}

/** The pullback is linear: four times the cotangent gives four times the gradient to the bit, and sums add. */
export function checkLinearPullback(
  subject: Subject,
  inputs: readonly Tensor[],
  options: LinearPullbackOptions = {},
): LawResult {
  const { f, points, names } = problemOf(subject, inputs, options);
  const tolerance = options.tolerance ?? (points.some((x) => x.dtype === "float32") ? 1e-5 : 1e-12);
  const comparison = new Comparison("LinearPullback");
  const { value, pullback } = vjp(f, ...points);
  const [a, b] = [cotangentLike(value, "a"), cotangentLike(value, "b")];
  const ofA = pullback(a);
  const ofB = pullback(b);
  const scaled = { expected: "4 × gradient", found: "gradient for 4 × cotangent" };
  pullback(a.mul(4)).forEach((g, i) =>
    comparison.bits(`gradient of ${names[i]}`, g, ofA[i]!.mul(4), scaled, "scales exactly"),
  );
  pullback(a.add(b)).forEach((g, i) => {
    const sum = ofA[i]!.add(ofB[i]!);
    comparison.tensors(g, sum, {
      part: "adds",
      tolerance,
      where: `gradient of ${names[i]}`,
      scale: Math.max(1, largest(sum.values())),
      sources: { expected: "sum of the gradients", found: "gradient for the sum of the cotangents" },
    });
  });
  return comparison.result();
}

/** {@link checkLinearPullback}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectLinearPullback(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: LinearPullbackOptions,
): LawResult {
  return requiredOf(checkLinearPullback, subject, inputs, options);
}
