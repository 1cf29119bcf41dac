import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

const tolerance = 1e-5;

/**
 * At the sizes that models use, value and gradients in float32 are those in float64 at the same (float32) point, each
 * element within 1e-5 of the largest. Nothing else sees a kernel that is wrong in float32 from some size on: the adjoint
 * law takes both of its sides from the rules.
 */
export function checkRealSizeGradients(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("RealSizeGradients");
  const single = inputs.map((x) => x.cast("float32"));
  const coarse = vjp(f, ...single);
  const fine = vjp(f, ...single.map((x) => x.cast("float64")));
  const close = (part: string, where: string, found: Tensor, exact: Tensor): void => {
    if (!comparison.sameKind(part, tolerance, where, found, exact.cast("float32"))) return;
    const wanted = exact.values();
    const size = largest(wanted) || 1;
    found.values().forEach((value, i) =>
      comparison.error(part, tolerance, Math.abs(value - wanted[i]!) / size, () => ({
        where: `${where}, element ${i}`,
        expected: wanted[i]!,
        found: value,
        sources: { expected: "float64", found: "float32" },
      })),
    );
  };
  close("value at real sizes", "value", coarse.value, fine.value);
  const cotangent = cotangentLike(coarse.value);
  const exact = fine.pullback(cotangent.cast("float64"));
  coarse
    .pullback(cotangent)
    .forEach((g, i) => close("gradient at real sizes", `gradient of input ${i}`, g, exact[i]!));
  return comparison.result();
}
