import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/**
 * The float32 value and gradient of every input against those of float64 at the same (float32) point, relative to the largest
 * entry of each. Where a layer adds up many terms an entry that nearly cancels has no digits of its own to keep. With
 * `orOperands` relative to what it is made of where that is larger: the value to the largest entry of the inputs, the gradient to
 * that of the cotangent. Of a small input the whole of either may be what is left of terms that cancel, which each were rounded.
 */
export function checkRelativeFloat32(
  f: TensorFunction,
  inputs: readonly Tensor[],
  tolerance: number,
  { orOperands = false }: { readonly orOperands?: boolean } = {},
): LawResult {
  const comparison = new Comparison("RelativeFloat32");
  const single = inputs.map((x) => x.cast("float32"));
  const coarse = vjp(f, ...single);
  const fine = vjp(f, ...single.map((x) => x.cast("float64")));
  const cotangent = cotangentLike(coarse.value);
  const compare = (part: string, where: string, found: Tensor, exact: Tensor, least: number): void => {
    if (!comparison.sameKind(part, tolerance, where, found, exact.cast("float32"))) return;
    const wanted = exact.values();
    const size = Math.max(largest(wanted), least) || 1;
    found.values().forEach((value, i) =>
      comparison.error(part, tolerance, Math.abs(value - wanted[i]!) / size, () => ({
        where: `${where}, element ${i}`,
        expected: wanted[i]!,
        found: value,
        sources: { expected: "float64", found: "float32" },
      })),
    );
  };
  const [partOfValue, partOfGradient] = orOperands
    ? ["value / max(|value|∞, |inputs|∞)", "gradient / max(|g|∞, |cotangent|∞)"]
    : ["value / |value|∞", "gradient / |g|∞"];
  const leastValue = orOperands ? Math.max(...single.map((x) => largest(x.values()))) : 0;
  compare(partOfValue, "value", coarse.value, fine.value, leastValue);
  const least = orOperands ? largest(cotangent.values()) : 0;
  const exact = fine.pullback(cotangent.cast("float64"));
  coarse
    .pullback(cotangent)
    .forEach((g, i) => compare(partOfGradient, `gradient of input ${i}`, g, exact[i]!, least));
  return comparison.result();
}
