import { vjp, type Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** Broadcasting is an explicit expand: the same value and the same gradients of the inputs, to the bit. */
export function checkBroadcasting(
  subject: Subject,
  inputs: readonly Tensor[],
  options: SubjectOptions = {},
): LawResult {
  const comparison = new Comparison("Broadcasting");
  const sources = { expected: "expanded inputs", found: "broadcast inputs" };
  const { f, points, names } = problemOf(subject, inputs, { ...options, parameters: false });
  const direct = vjp(f, ...points);
  const { shape } = direct.value;
  const explicit = vjp((...xs) => f(...xs.map((x) => x.expand(shape))), ...points);
  comparison.bits("value", direct.value, explicit.value, sources);
  const cotangent = cotangentLike(direct.value);
  const expanded = explicit.pullback(cotangent);
  direct
    .pullback(cotangent)
    .forEach((g, i) => comparison.bits(`gradient of ${names[i]}`, g, expanded[i]!, sources));
  return comparison.result();
}

/** {@link checkBroadcasting}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectBroadcasting(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: SubjectOptions,
): LawResult {
  return requiredOf(checkBroadcasting, subject, inputs, options);
}
