import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike, largest } from "../cotangent.js";
import { elementText } from "../element.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** Options of {@link checkLinearPullback}. */
export interface LinearPullbackOptions {
  /** Largest error of the gradient of a sum of cotangents, relative to max(1, |g|∞). Default 1e-12, and 1e-5 for float32. */
  readonly tolerance?: number;
}

/** The pullback is linear: four times the cotangent gives four times the gradient to the bit, and sums add. */
export function checkLinearPullback(
  f: TensorFunction,
  inputs: readonly Tensor[],
  options: LinearPullbackOptions = {},
): LawResult {
  const tolerance = options.tolerance ?? (inputs.some((x) => x.dtype === "float32") ? 1e-5 : 1e-12);
  const comparison = new Comparison("LinearPullback");
  const { value, pullback } = vjp(f, ...inputs);
  const [a, b] = [cotangentLike(value, "a"), cotangentLike(value, "b")];
  const ofA = pullback(a);
  const ofB = pullback(b);
  pullback(a.mul(4)).forEach((g, i) =>
    comparison.bits(
      `gradient of input ${i} for four times the cotangent`,
      g,
      ofA[i]!.mul(4),
      undefined,
      "scales exactly",
    ),
  );
  pullback(a.add(b)).forEach((g, i) => {
    const where = `gradient of input ${i} for a sum of cotangents`;
    const sum = ofA[i]!.add(ofB[i]!);
    if (!comparison.sameKind("adds", tolerance, where, g, sum)) return;
    const wanted = sum.values();
    const size = Math.max(1, largest(wanted));
    g.values().forEach((found, at) =>
      comparison.error("adds", tolerance, Math.abs(found - wanted[at]!) / size, () => ({
        where: `${where}, element ${elementText(at, g.shape)}`,
        expected: wanted[at]!,
        found,
        sources: { expected: "sum of the gradients", found: "gradient of the sum" },
      })),
    );
  });
  return comparison.result();
}

/** {@link checkLinearPullback}, throwing `E_LAW` when it does not hold. */
export function expectLinearPullback(
  f: TensorFunction,
  inputs: readonly Tensor[],
  options?: LinearPullbackOptions,
): LawResult {
  return required(checkLinearPullback(f, inputs, options));
}
