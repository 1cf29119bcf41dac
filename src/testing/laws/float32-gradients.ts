import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest } from "../cotangent.js";
import { elementText } from "../element.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** Half the distance between neighbouring float32 numbers just above 1. */
const u = 2 ** -24;

/** Options of {@link checkFloat32Gradients}. */
export interface Float32GradientsOptions {
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
  f: TensorFunction,
  inputs: readonly Tensor[],
  { units = 4, elementwise = false }: Float32GradientsOptions = {},
): LawResult {
  const comparison = new Comparison("Float32Gradients");
  const single = inputs.map((x) => x.cast("float32"));
  const coarse = vjp(f, ...single);
  const fine = vjp(f, ...single.map((x) => x.cast("float64")));
  const cotangent = cotangentLike(coarse.value);
  comparison.sameKind("summed", units, "value", coarse.value, fine.value.cast("float32"));
  const found = coarse.pullback(cotangent);
  const exact = fine.pullback(cotangent.cast("float64"));
  const weights = cotangent.values();
  const most = largest(weights);
  inputs.forEach((x, input) => {
    const own = elementwise && x.size === weights.length;
    const [part, tolerance] = own ? ["elementwise", Math.min(units, 4)] : ["summed", units];
    const where = `gradient of input ${input}`;
    if (!comparison.sameKind(part, tolerance, where, found[input]!, single[input]!)) return;
    const a = found[input]!.values();
    const b = exact[input]!.values();
    for (let i = 0; i < a.length; i++) {
      const size = u * Math.max(Math.abs(b[i]!), own ? Math.abs(weights[i]!) : most);
      const error = a[i] === b[i] ? 0 : Math.abs(a[i]! - b[i]!) / size;
      comparison.error(part, tolerance, error, () => ({
        where: `${where}, element ${elementText(i, x.shape)}`,
        expected: b[i]!,
        found: a[i]!,
        sources: { expected: "float64", found: "float32" },
      }));
    }
  });
  return comparison.result();
}

/** {@link checkFloat32Gradients}, throwing `E_LAW` when it does not hold. */
export function expectFloat32Gradients(
  f: TensorFunction,
  inputs: readonly Tensor[],
  options?: Float32GradientsOptions,
): LawResult {
  return required(checkFloat32Gradients(f, inputs, options));
}
