import { stack, vjp, type Tensor } from "../../../src/autograd/index.js";
import { expectEqualBits } from "./bits.js";
import { cotangentLike } from "./cotangent.js";
import type { Function } from "./differences.js";

/** A batch is a stack of singles: outputs and input gradients, to the bit. `batch` holds the inputs of each single. */
export function expectBatch(f: Function, batch: readonly (readonly Tensor[])[]): void {
  const inputs = batch[0]!.map((_, i) => stack(batch.map((single) => single[i]!)));
  const whole = vjp(f, ...inputs);
  const cotangent = cotangentLike(whole.value);
  const pulled = whole.pullback(cotangent);
  batch.forEach((single, at) => {
    const { value, pullback } = vjp(f, ...single);
    expectEqualBits(whole.value.slice([at]), value);
    pullback(cotangent.slice([at])).forEach((g, i) => expectEqualBits(pulled[i]!.slice([at]), g));
  });
}
