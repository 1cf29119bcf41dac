import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** The same graph walked twice, and the same computation recorded twice, give the same bits. */
export function checkSameBits(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("SameBits");
  const first = vjp(f, ...inputs);
  const cotangent = cotangentLike(first.value);
  const gradients = first.pullback(cotangent);
  const same = (found: readonly Tensor[], how: string): void =>
    found.forEach((g, i) => comparison.bits(`gradient of input ${i}, ${how}`, g, gradients[i]!));
  same(first.pullback(cotangent), "walked a second time");
  const second = vjp(f, ...inputs);
  comparison.bits("value, computed a second time", second.value, first.value);
  same(second.pullback(cotangent), "recorded a second time");
  return comparison.result();
}

/** {@link checkSameBits}, throwing `E_LAW` when it does not hold. */
export function expectSameBits(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  return required(checkSameBits(f, inputs));
}
