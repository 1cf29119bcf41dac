import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";
import type { TensorFunction } from "../subject.js";

/** Broadcasting is an explicit expand: the same value and the same gradients, to the bit. */
export function checkBroadcasting(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("Broadcasting");
  const sources = { expected: "expanded inputs", found: "broadcast inputs" };
  const direct = vjp(f, ...inputs);
  const { shape } = direct.value;
  const explicit = vjp((...xs) => f(...xs.map((x) => x.expand(shape))), ...inputs);
  comparison.bits("value", direct.value, explicit.value, sources);
  const cotangent = cotangentLike(direct.value);
  const expanded = explicit.pullback(cotangent);
  direct
    .pullback(cotangent)
    .forEach((g, i) => comparison.bits(`gradient of input ${i}`, g, expanded[i]!, sources));
  return comparison.result();
}

/** {@link checkBroadcasting}, throwing `E_LAW` when it does not hold. */
export function expectBroadcasting(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  return required(checkBroadcasting(f, inputs));
}
