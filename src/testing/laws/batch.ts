import { stack, vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** A batch is a stack of singles: outputs and input gradients, to the bit. `batch` holds the inputs of each single. */
export function checkBatch(f: TensorFunction, batch: readonly (readonly Tensor[])[]): LawResult {
  const comparison = new Comparison("Batch");
  const sources = { expected: "alone", found: "in the batch" };
  const inputs = batch[0]!.map((_, i) => stack(batch.map((single) => single[i]!)));
  const whole = vjp(f, ...inputs);
  const cotangent = cotangentLike(whole.value);
  const pulled = whole.pullback(cotangent);
  batch.forEach((single, at) => {
    const { value, pullback } = vjp(f, ...single);
    comparison.bits(`value of single ${at}`, whole.value.slice([at]), value, sources);
    pullback(cotangent.slice([at])).forEach((g, i) =>
      comparison.bits(`gradient of input ${i} of single ${at}`, pulled[i]!.slice([at]), g, sources),
    );
  });
  return comparison.result();
}

/** {@link checkBatch}, throwing `E_LAW` when it does not hold. */
export function expectBatch(f: TensorFunction, batch: readonly (readonly Tensor[])[]): LawResult {
  return required(checkBatch(f, batch));
}
