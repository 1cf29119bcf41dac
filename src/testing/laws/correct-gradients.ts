import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest, unitCotangents } from "../cotangent.js";
import { alongElement, fivePoint } from "../differences.js";
import { elementText } from "../element.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** Options of {@link checkCorrectGradients}. */
export interface CorrectGradientsOptions {
  /** Largest error, relative to max(1, |g|∞). Default 1e-9. */
  readonly tolerance?: number;
  /** The step of the differences. Default 3e-4. */
  readonly step?: number;
}

const part = "gradient against differences";

/**
 * In float64, the gradient of every input agrees with five-point differences: for a cotangent whose elements all differ,
 * and, where the result is small, for each row of the Jacobian on its own. Shapes and types are those of the inputs.
 */
export function checkCorrectGradients(
  f: TensorFunction,
  inputs: readonly Tensor[],
  { tolerance = 1e-9, step = 3e-4 }: CorrectGradientsOptions = {},
): LawResult {
  const comparison = new Comparison("CorrectGradients");
  const { value, pullback } = vjp(f, ...inputs);
  const cotangents = [cotangentLike(value), ...unitCotangents(value)];
  const rules = cotangents.map((cotangent) => pullback(cotangent));
  const weights = cotangents.map((cotangent) => cotangent.values());
  inputs.forEach((x, input) => {
    const where = `gradient of input ${input}`;
    if (!rules.every((found) => comparison.sameKind(part, tolerance, where, found[input]!, x))) return;
    const rows = rules.map((found) => found[input]!.values());
    const sizes = rows.map((row) => Math.max(1, largest(row)));
    for (let element = 0; element < x.size; element++) {
      const slopes = fivePoint(alongElement(f, inputs, input, element), step);
      rows.forEach((rule, row) => {
        const differences = slopes.reduce((sum, slope, i) => sum + slope * weights[row]![i]!, 0);
        const error = Math.abs(rule[element]! - differences) / sizes[row]!;
        comparison.error(part, tolerance, error, () => ({
          where: `${where}, element ${elementText(element, x.shape)}, cotangent ${row}`,
          expected: differences,
          found: rule[element]!,
          sources: { expected: "differences", found: "rule" },
        }));
      });
    }
  });
  return comparison.result();
}

/** {@link checkCorrectGradients}, throwing `E_LAW` when it does not hold. */
export function expectCorrectGradients(
  f: TensorFunction,
  inputs: readonly Tensor[],
  options?: CorrectGradientsOptions,
): LawResult {
  return required(checkCorrectGradients(f, inputs, options));
}
