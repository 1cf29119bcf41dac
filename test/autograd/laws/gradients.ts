import { expect } from "vitest";
import { tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import { cotangentLike, largest } from "./cotangent.js";
import { column, type Function } from "./differences.js";

export interface GradientTolerance {
  /** Relative to max(1, |g|∞). */
  readonly tolerance?: number;
  readonly step?: number;
}

/**
 * In float64, the gradient of every input agrees with five-point differences: for a cotangent whose elements all differ,
 * and, where the result is small, for each row of the Jacobian on its own. Shapes and types are those of the inputs.
 */
export function expectCorrectGradients(
  f: Function,
  inputs: readonly Tensor[],
  { tolerance = 1e-9, step = 3e-4 }: GradientTolerance = {},
): void {
  const { value, pullback } = vjp(f, ...inputs);
  const cotangents = [cotangentLike(value), ...units(value)];
  const rules = cotangents.map((cotangent) => pullback(cotangent));
  inputs.forEach((x, input) => {
    for (const [row, found] of rules.entries()) {
      expect(found[input]!.shape).toEqual(x.shape);
      expect(found[input]!.dtype).toBe(x.dtype);
      expect(largest(found[input]!.values()), `row ${row}`).not.toBeNaN();
    }
    for (let element = 0; element < x.size; element++) {
      const jacobian = column(f, inputs, input, element, step);
      cotangents.forEach((cotangent, row) => {
        const weights = cotangent.values();
        const differences = jacobian.reduce((sum, slope, i) => sum + slope * weights[i]!, 0);
        const rule = rules[row]![input]!.values();
        const error = Math.abs(rule[element]! - differences) / Math.max(1, largest(rule));
        expect(
          error,
          `input ${input}, element ${element}, cotangent ${row}: rule ${rule[element]}, differences ${differences}`,
        ).toBeLessThanOrEqual(tolerance);
      });
    }
  });
}

/** One cotangent for each element of a small result: a number there, 0 elsewhere. */
function units(value: Tensor): Tensor[] {
  if (value.size > 12) return [];
  return Array.from({ length: value.size }, (_, at) => {
    const unit = new Float64Array(value.size);
    unit[at] = 1 - at / 16;
    return tensor(unit, { shape: value.shape });
  });
}
