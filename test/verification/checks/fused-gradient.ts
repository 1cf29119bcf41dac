import { gradients, Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, largest, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/**
 * The gradient in float32 by a kernel of its own, which is taken when nothing is recorded, and by the rule that is written in
 * operations and can be differentiated again. They have the same bits; with a tolerance, which is relative to max(1, |g|∞),
 * they are that close.
 */
export function checkFusedGradient(f: TensorFunction, inputs: readonly Tensor[], tolerance = 0): LawResult {
  const comparison = new Comparison("FusedGradient");
  const xs = inputs.map((x) => new Tensor(x.cast("float32").array, true));
  const value = f(...xs);
  const cotangents = [cotangentLike(value)];
  const fused = gradients(f(...xs), xs, { cotangents });
  const composed = gradients(value, xs, { cotangents, createGraph: true });
  composed.forEach((expected, i) => {
    const [found, where] = [fused[i]!, `gradient of input ${i}`];
    const sources = { expected: "composed", found: "fused" };
    if (tolerance === 0) return comparison.bits(where, found, expected!, sources);
    const part = "close to the composed one";
    if (!comparison.sameKind(part, tolerance, where, found, expected!)) return;
    const wanted = expected!.values();
    const size = Math.max(1, largest(wanted));
    found.values().forEach((value, at) =>
      comparison.error(part, tolerance, Math.abs(value - wanted[at]!) / size, () => ({
        where: `${where}, element ${at}`,
        expected: wanted[at]!,
        found: value,
        sources,
      })),
    );
  });
  return comparison.result();
}
