import { vjp, type Tensor } from "../../autograd/index.js";
import { kernels, kernelSets, useKernels } from "../../tensor/index.js";
import { Comparison } from "../comparison.js";
import { cotangentLike } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { problemOf, type Subject, type SubjectOptions } from "../subject.js";

/** Options of {@link checkSameBits}. */
export interface SameBitsOptions extends SubjectOptions {
  /**
   * Compare the sets of kernels as well, in float32, for which equal bits are promised: the float32 form of the inputs is
   * computed with each. Default true.
   */
  readonly kernels?: boolean;
}

/**
 * The same graph walked twice, and the same computation recorded twice, give the same bits; so do, in float32, the `reference` and
 * the `simd` kernels.
 */
export function checkSameBits(
  subject: Subject,
  inputs: readonly Tensor[],
  options: SameBitsOptions = {},
): LawResult {
  const comparison = new Comparison("SameBits");
  const { f, points, names } = problemOf(subject, inputs, options);
  const first = vjp(f, ...points);
  const cotangent = cotangentLike(first.value);
  const gradients = first.pullback(cotangent);
  const same = (found: readonly Tensor[], time: string): void =>
    found.forEach((g, i) =>
      comparison.bits(`gradient of ${names[i]}`, g, gradients[i]!, { expected: "first time", found: time }),
    );
  same(first.pullback(cotangent), "walked a second time");
  const second = vjp(f, ...points);
  comparison.bits("value", second.value, first.value, { expected: "first time", found: "second time" });
  same(second.pullback(cotangent), "recorded a second time");
  if (options.kernels ?? true) compareKernels(comparison, subject, inputs, options);
  return comparison.result();
}

function compareKernels(
  comparison: Comparison,
  subject: Subject,
  inputs: readonly Tensor[],
  options: SameBitsOptions,
): void {
  const { f, points, names } = problemOf(subject, inputs, { ...options, dtype: "float32" });
  const runs = [...kernelSets.keys()].map((set) => ({
    set,
    results: withKernels(set, () => run(f, points)),
  }));
  const [reference, ...others] = runs;
  for (const { set, results } of others) {
    const sources = { expected: reference!.set, found: set };
    results.forEach((x, i) => {
      const where = i === 0 ? "float32 value" : `float32 gradient of ${names[i - 1]}`;
      comparison.bits(where, x, reference!.results[i]!, sources, "kernels");
    });
  }
}

function run(f: (...xs: Tensor[]) => Tensor, points: readonly Tensor[]): Tensor[] {
  const { value, pullback } = vjp(f, ...points);
  return [value, ...pullback(cotangentLike(value))];
}

function withKernels<R>(set: string, f: () => R): R {
  const before = kernels().name;
  useKernels(set);
  try {
    return f();
  } finally {
    useKernels(before);
  }
}

/** {@link checkSameBits}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectSameBits(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: SameBitsOptions,
): LawResult {
  return requiredOf(checkSameBits, subject, inputs, options);
}
