import { stack, vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/**
 * A batch is a stack of singles: outputs and input gradients, to the bit. `batch` holds the inputs of each single; they are
 * stacked along a new first axis.
 */
export function checkBatch(
  subject: Subject,
  batch: readonly (readonly Tensor[])[],
  options: SubjectOptions = {},
): LawResult {
  const comparison = new Comparison("Batch");
  const sources = { expected: "alone", found: "in the batch" };
  const problem = (inputs: readonly Tensor[]): ReturnType<typeof problemOf> =>
    problemOf(subject, inputs, { ...options, parameters: false });
  const { f, points, names } = problem(batch[0]!.map((_, i) => stack(batch.map((single) => single[i]!))));
  const whole = vjp(f, ...points);
  const cotangent = cotangentLike(whole.value);
  const pulled = whole.pullback(cotangent);
  batch.forEach((inputs, at) => {
    const single = problem(inputs);
    const { value, pullback } = vjp(single.f, ...single.points);
    comparison.bits(`value of single ${at}`, whole.value.slice([at]), value, sources);
    pullback(cotangent.slice([at])).forEach((g, i) =>
      comparison.bits(`gradient of ${names[i]} of single ${at}`, pulled[i]!.slice([at]), g, sources),
    );
  });
  return comparison.result();
}

/** {@link checkBatch}, throwing `E_LAW` when it does not hold. */
export function expectBatch(
  subject: Subject,
  batch: readonly (readonly Tensor[])[],
  options?: SubjectOptions,
): LawResult {
  return required(checkBatch(subject, batch, options));
}
