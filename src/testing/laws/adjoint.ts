import { jvp, vjp, type Tensor } from "../../autograd/index.js";
import { CloserSlopes } from "../closer-slopes.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, inner, largest } from "../cotangent.js";
import { alongTangents, slopesAt } from "../differences.js";
import { elementText } from "../element.js";
import { smoothSlope } from "../kinks.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Problem, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkAdjoint}. */
export interface AdjointOptions extends SubjectOptions {
  /** Largest |⟨J·v, w⟩ − ⟨v, Jᵀ·w⟩| on the chosen scale. Default 1e-12, and 1e-5 for float32 inputs. */
  readonly tolerance?: number;
  /**
   * What that is relative to: `value` is max(1, |⟨J·v, w⟩|), `norms` is ‖J·v‖·‖w‖, the bound of Cauchy and Schwarz, for large
   * results whose products cancel. Default `value`, and `norms` for float32 inputs.
   */
  readonly scale?: "value" | "norms";
  /** Largest difference of J·v from differences along v, relative to max(1, |J·v|∞). Default 1e-8. */
  readonly differencesTolerance?: number;
  /** The step of the differences. Default 3e-4. */
  readonly step?: number;
  /** Compare J·v with differences at all. Default: true unless an input is float32, in which differences say little. */
  readonly differences?: boolean;
}

/** J·v agrees with differences along v, and ⟨J·v, w⟩ = ⟨v, Jᵀ·w⟩, for v and w whose elements all differ. */
export function checkAdjoint(
  subject: Subject,
  inputs: readonly Tensor[],
  options: AdjointOptions = {},
): LawResult {
  const problem = problemOf(subject, inputs, options);
  const { f, points } = problem;
  const single = points.some((x) => x.dtype === "float32");
  const { tolerance = single ? 1e-5 : 1e-12, scale = single ? "norms" : "value" } = options;
  const comparison = new Comparison("Adjoint");
  const tangents = points.map((x, i) => cotangentLike(x, `tangent ${i}`));
  const { value, tangent } = jvp(f, points, tangents);
  const part = "⟨J·v, w⟩ against ⟨v, Jᵀ·w⟩";
  if (!comparison.sameKind(part, tolerance, "J·v", tangent, value)) return comparison.result();
  if (options.differences ?? !single) againstDifferences(comparison, problem, tangents, tangent, options);

  const w = cotangentLike(value, "w");
  const pulled = vjp(f, ...points).pullback(w);
  const left = inner(tangent, w);
  const right = tangents.reduce((sum, v, i) => sum + inner(v, pulled[i]!), 0);
  const size =
    scale === "value"
      ? Math.max(1, Math.abs(left))
      : Math.sqrt(inner(tangent, tangent) * inner(w, w)) || Number.MIN_VALUE;
  comparison.error(part, tolerance, Math.abs(left - right) / size, () => ({
    where: "⟨J·v, w⟩ and ⟨v, Jᵀ·w⟩",
    expected: right,
    found: left,
    sources: { expected: "pullback", found: "forward derivative" },
  }));
  return comparison.result();
}

function againstDifferences(
  comparison: Comparison,
  { f, points }: Problem,
  tangents: readonly Tensor[],
  tangent: Tensor,
  { differencesTolerance: tolerance = 1e-8, step = 3e-4 }: AdjointOptions,
): void {
  const path = alongTangents(f, points, tangents);
  const slopes = slopesAt(path, step);
  const closer = new CloserSlopes(path, step);
  const pushed = tangent.values();
  const size = Math.max(1, largest(pushed));
  pushed.forEach((found, i) => {
    const errorOf = (slope: number): number => Math.abs(found - slope) / size;
    const slope = smoothSlope(
      slopes,
      path,
      step,
      (all) => all[i]!,
      closer,
      (by) => errorOf(by) <= tolerance,
    );
    const kinked = slope === undefined && !Number.isNaN(found);
    comparison.place(kinked);
    if (!kinked)
      comparison.error("J·v against differences", tolerance, errorOf(slope ?? NaN), () => ({
        where: "J·v",
        element: elementText(i, tangent.shape),
        expected: slope ?? NaN,
        found,
        sources: { expected: "differences", found: "rule" },
        pattern: { shape: tangent.shape, expected: slopes.central, found: pushed },
      }));
  });
}

/** {@link checkAdjoint}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectAdjoint(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: AdjointOptions,
): LawResult {
  return requiredOf(checkAdjoint, subject, inputs, options);
}
