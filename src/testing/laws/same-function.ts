import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkSameFunction}. */
export interface SameFunctionOptions extends SubjectOptions {
  /**
   * The other form of the function: a composed form of a fused operation, or the engineer's own formula for a layer, written with
   * the layer's own parameters. A module has parameters of its own, which must be given the same values beforehand; gradients
   * are then compared for parameters of the same names.
   */
  readonly twin: Subject;
  /** Largest error of values, relative to max(1, |value|∞). Default 1e-12, and 1e-5 for float32. */
  readonly tolerance?: number;
  /** Largest error of gradients, relative to max(1, |g|∞). Default: as for the values. */
  readonly gradientTolerance?: number;
}

/** A function and its twin have the same values, and the same gradients in every input and parameter, in the type of the inputs. */
export function checkSameFunction(
  subject: Subject,
  inputs: readonly Tensor[],
  options: SameFunctionOptions,
): LawResult {
  const comparison = new Comparison("SameFunction");
  const { f, points, names } = problemOf(subject, inputs, options);
  const twin = problemOf(options.twin, inputs, withParametersOf(subject, options));
  const single = points.some((x) => x.dtype === "float32");
  const { tolerance = single ? 1e-5 : 1e-12, gradientTolerance = tolerance } = options;
  const sources = { expected: "twin", found: "function" };
  const own = vjp(f, ...points);
  const other = vjp(twin.f, ...twin.points);
  comparison.tensors(own.value, other.value, {
    part: "values",
    tolerance,
    where: "value",
    sources,
    scale: Math.max(1, largest(other.value.values())),
  });
  if (!comparison.result().passed) return comparison.result();
  const cotangent = cotangentLike(own.value);
  const expected = other.pullback(cotangent);
  own.pullback(cotangent).forEach((g, i) => {
    const at = twin.names.indexOf(names[i]!);
    if (at < 0) return;
    comparison.tensors(g, expected[at]!, {
      part: "gradients",
      tolerance: gradientTolerance,
      where: `gradient of ${names[i]}`,
      sources,
      scale: Math.max(1, largest(expected[at]!.values())),
    });
  });
  return comparison.result();
}

/** A twin that is a function is one of the parameters of the subject, too: it closes over them. */
function withParametersOf(
  subject: Subject,
  { twin, module, ...options }: SameFunctionOptions,
): SubjectOptions {
  const owner = typeof twin === "function" && typeof subject !== "function" ? subject : module;
  return owner ? { ...options, module: owner } : options;
}

/** {@link checkSameFunction}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectSameFunction(
  subject: Subject,
  inputs: readonly Tensor[],
  options: SameFunctionOptions,
): LawResult {
  return requiredOf((f, xs) => checkSameFunction(f, xs, options), subject, inputs, options);
}
