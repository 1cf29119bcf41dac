import { vjp, type Tensor } from "../../../src/autograd/index.js";
import { expectEqualBits } from "./bits.js";
import { cotangentLike } from "./cotangent.js";
import type { Function } from "./differences.js";

/** The same graph walked twice, and the same computation recorded twice, give the same bits. */
export function expectSameBits(f: Function, inputs: readonly Tensor[]): void {
  const first = vjp(f, ...inputs);
  const cotangent = cotangentLike(first.value);
  const gradients = first.pullback(cotangent);
  first.pullback(cotangent).forEach((again, i) => expectEqualBits(again, gradients[i]!));
  const second = vjp(f, ...inputs);
  expectEqualBits(second.value, first.value);
  second.pullback(cotangent).forEach((again, i) => expectEqualBits(again, gradients[i]!));
}
