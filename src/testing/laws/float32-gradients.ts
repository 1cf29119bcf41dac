import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** Half the distance between neighbouring float32 numbers just above 1. */
const u = 2 ** -24;

/** Options of {@link checkFloat32Gradients}. */
export interface Float32GradientsOptions extends SubjectOptions {
  /** In units of u·max(|g|, |cotangent|), u = 2⁻²⁴; 4 for elementwise operations, which is the default. */
  readonly units?: number;
  /** Each element depends on one element of the cotangent only, the one at its own place. */
  readonly elementwise?: boolean;
}

/**
 * The float32 gradient agrees with the float64 gradient at the same (float32) point: element by element within
 * units·u·max(|g|, |cotangent|), u = 2⁻²⁴. An elementwise operation without broadcasting keeps to 4 units and the cotangent of the
 * same element; where cotangents are summed, the units are those of the operation and the cotangent is the largest. The error and
 * the tolerance of the result are in these units.
 */
export function checkFloat32Gradients(
  subject: Subject,
  inputs: readonly Tensor[],
  options: Float32GradientsOptions = {},
): LawResult {
  const { units = 4, elementwise = false } = options;
  const comparison = new Comparison("Float32Gradients");
  const { f, points, names } = problemOf(subject, inputs, { ...options, dtype: "float32" });
  const coarse = vjp(f, ...points);
  const fine = vjp(f, ...points.map((x) => x.cast("float64")));
  comparison.sameKind("summed", units, "value", coarse.value, fine.value.cast("float32"));
  const cotangent = cotangentLike(coarse.value);
  const found = coarse.pullback(cotangent);
  const exact = fine.pullback(cotangent.cast("float64"));
  const weights = cotangent.values();
  const most = largest(weights);
  points.forEach((x, input) => {
    const own = elementwise && x.size === weights.length;
    const g = exact[input]!.values();
    comparison.sameKind("summed", units, `gradient of ${names[input]}`, found[input]!, x);
    comparison.tensors(found[input]!.cast("float64"), exact[input]!, {
      part: own ? "elementwise" : "summed",
      tolerance: own ? Math.min(units, 4) : units,
      where: `gradient of ${names[input]}`,
      scale: (i) => u * Math.max(Math.abs(g[i]!), own ? Math.abs(weights[i]!) : most),
      sources: { expected: "float64", found: "float32" },
    });
  });
  return comparison.result();
}

/** {@link checkFloat32Gradients}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectFloat32Gradients(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: Float32GradientsOptions,
): LawResult {
  return requiredOf(checkFloat32Gradients, subject, inputs, options);
}
