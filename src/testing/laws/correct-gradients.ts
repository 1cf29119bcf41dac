import { vjp, type Tensor } from "../../autograd/index.js";
import { CloserSlopes } from "../closer-slopes.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest, unitCotangents } from "../cotangent.js";
import { alongElement, alongTangents, slopesAt } from "../differences.js";
import { elementText } from "../element.js";
import type { JacobianPattern } from "../law-failure.js";
import { smoothSlope } from "../kinks.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, requireFloat64, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkCorrectGradients}. */
export interface CorrectGradientsOptions extends SubjectOptions {
  /** Largest error, relative to max(1, |g|∞). Default 1e-9. */
  readonly tolerance?: number;
  /** The step of the differences. Default 3e-4. */
  readonly step?: number;
}

const part = "gradient against differences";
const sources = { expected: "differences", found: "rule" };

/**
 * In float64, the gradient of every input and parameter agrees with five-point differences: for a cotangent whose elements all
 * differ, and, where the result has at most 12 elements, for each row of the Jacobian on its own. Shapes and types are those
 * of the inputs. An element where the function has a kink is counted and not compared; nothing but kinks is a failure.
 */
export function checkCorrectGradients(
  subject: Subject,
  inputs: readonly Tensor[],
  options: CorrectGradientsOptions = {},
): LawResult {
  const { tolerance = 1e-9, step = 3e-4 } = options;
  const comparison = new Comparison("CorrectGradients");
  const { f, points, names } = problemOf(subject, inputs, { ...options, dtype: "float64" });
  const { value, pullback } = vjp(f, ...points);
  requireFloat64(comparison.law, value);
  const middle = value.values();
  const cotangents = [cotangentLike(value), ...unitCotangents(value)];
  // A rule that reads what the last call left behind, and not what its own call saved, sees other inputs.
  const tangents = points.map((x, i) => cotangentLike(x, `tangent ${i}`));
  alongTangents(f, points, tangents)(step);
  const rules = cotangents.map((cotangent) => pullback(cotangent));
  const weights = cotangents.map((cotangent) => cotangent.values());
  points.forEach((x, input) => {
    const where = `gradient of ${names[input]}`;
    if (!rules.every((found) => comparison.sameKind(part, tolerance, where, found[input]!, x))) return;
    const rows = rules.map((found) => found[input]!.values());
    const sizes = rows.map((row) => Math.max(1, largest(row)));
    const expected = rows.map(() => new Float64Array(x.size));
    for (let element = 0; element < x.size; element++) {
      const path = alongElement(f, points, input, element);
      const slopes = slopesAt(path, step, middle);
      const closer = new CloserSlopes(path, step);
      let kinked = false;
      rows.forEach((rule, row) => {
        const along = (by: Float64Array): number =>
          by.reduce((sum, slope, i) => sum + slope * weights[row]![i]!, 0);
        const errorOf = (slope: number): number => Math.abs(rule[element]! - slope) / sizes[row]!;
        const slope = smoothSlope(slopes, path, step, along, closer, (by) => errorOf(by) <= tolerance);
        expected[row]![element] = slope ?? NaN;
        if (slope === undefined && !Number.isNaN(rule[element])) kinked = true;
        else
          comparison.error(part, tolerance, errorOf(slope ?? NaN), () => ({
            where,
            element: elementText(element, x.shape),
            expected: slope ?? NaN,
            found: rule[element]!,
            sources,
            pattern: {
              shape: x.shape,
              expected: expected[row]!,
              found: rule,
              others: new Map(names.map((name, i) => [name, rules[row]![i]!.values()])),
              // Asked for when all elements of the differences are known.
              get jacobian() {
                return jacobianPattern(value, x, weights, expected, rows);
              },
            },
          }));
      });
      comparison.place(kinked);
    }
  });
  return comparison.result();
}

/** The rows for single elements of the result, for a cotangent of 1; undefined for a result that is too large for them. */
function jacobianPattern(
  value: Tensor,
  x: Tensor,
  weights: readonly ArrayLike<number>[],
  expected: readonly ArrayLike<number>[],
  found: readonly ArrayLike<number>[],
): JacobianPattern | undefined {
  if (weights.length === 1) return undefined;
  const jacobian = (rows: readonly ArrayLike<number>[]): number[] =>
    rows.slice(1).flatMap((row, at) => Array.from(row, (slope) => slope / weights[at + 1]![at]!));
  return {
    resultRank: value.rank,
    shape: [...value.shape, ...x.shape],
    expected: jacobian(expected),
    found: jacobian(found),
  };
}

/** {@link checkCorrectGradients}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectCorrectGradients(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: CorrectGradientsOptions,
): LawResult {
  return requiredOf(checkCorrectGradients, subject, inputs, options);
}
