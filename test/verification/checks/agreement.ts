import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/** Pairs of tensors that must agree, each within `tolerance` of max(1, the largest expected entry). */
export function checkAgreement(
  law: string,
  tolerance: number,
  pairs: Iterable<readonly [what: string, found: Tensor, expected: Tensor]>,
): LawResult {
  const comparison = new Comparison(law);
  for (const [what, found, expected] of pairs) {
    if (!comparison.sameKind(what, tolerance, what, found.cast(expected.dtype), expected)) continue;
    const values = found.values();
    const wanted = expected.values();
    const size = Math.max(1, largest(wanted));
    wanted.forEach((value, i) =>
      comparison.error(what, tolerance, Math.abs(values[i]! - value) / size, () => ({
        where: `${what}, element ${i}`,
        expected: value,
        found: values[i]!,
      })),
    );
  }
  return comparison.result();
}

/** Two functions of the same inputs have, in the type of these, the same values and gradients to `tolerance`. */
export function checkSameFunction(
  f: TensorFunction,
  twin: TensorFunction,
  inputs: readonly Tensor[],
  tolerance: number,
): LawResult {
  const [one, other] = [vjp(f, ...inputs), vjp(twin, ...inputs)];
  const cotangent = cotangentLike(one.value);
  const gradients = other.pullback(cotangent);
  return checkAgreement("SameFunction", tolerance, [
    ["value", one.value, other.value],
    ...one.pullback(cotangent).map((g, i) => ["gradient", g, gradients[i]!] as const),
  ]);
}
