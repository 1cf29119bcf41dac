import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/**
 * The float32 value and gradient of every input against those of float64 at the same (float32) point, relative to the largest
 * entry of each. Where a layer adds up many terms an entry that nearly cancels has no digits of its own to keep. With
 * `orCotangent` relative to the largest entry of the cotangent where that is larger: of a small input the whole gradient may be
 * what is left of terms that cancel.
 */
export function checkRelativeFloat32(
  f: TensorFunction,
  inputs: readonly Tensor[],
  tolerance: number,
  { orCotangent = false }: { readonly orCotangent?: boolean } = {},
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
  compare("value / |value|∞", "value", coarse.value, fine.value, 0);
  const least = orCotangent ? largest(cotangent.values()) : 0;
  const part = orCotangent ? "gradient / max(|g|∞, |cotangent|∞)" : "gradient / |g|∞";
  const exact = fine.pullback(cotangent.cast("float64"));
  coarse.pullback(cotangent).forEach((g, i) => compare(part, `gradient of input ${i}`, g, exact[i]!, least));
  return comparison.result();
}
