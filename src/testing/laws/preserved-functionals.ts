import { Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import { inner, largest } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { requiredOf } from "../required.js";
import { called, type Subject, type SubjectOptions } from "../subject.js";

/** A linear functional ⟨w, ·⟩ as the tensor w of its weights, or any function to a tensor. */
export type Functional = Tensor | ((x: Tensor) => Tensor);

/** Options of {@link checkPreservedFunctionals}. */
export interface PreservedFunctionalsOptions extends SubjectOptions {
  /** What must not change, by name: `{ mean: (x) => x.mean(), first: weights }`. */
  readonly functionals: Readonly<Record<string, Functional>>;
  /** Which input is to be compared with the result. Default 0. */
  readonly input?: number;
  /**
   * Largest change of a functional, relative to the size of what it sums: Σ|wᵢ·xᵢ| of a linear one, otherwise its own largest
   * magnitude, and at least 1. Default 1e-12, and 1e-5 for float32.
   */
  readonly tolerance?: number;
}

/** Functionals have the same value for the result as for the input: moments of a compressed state, a sum, an energy, … */
export function checkPreservedFunctionals(
  subject: Subject,
  inputs: readonly Tensor[],
  options: PreservedFunctionalsOptions,
): LawResult {
  const comparison = new Comparison("PreservedFunctionals");
  const before = inputs[options.input ?? 0]!.detach();
  const tolerance = options.tolerance ?? (before.dtype === "float32" ? 1e-5 : 1e-12);
  const after = called(subject, inputs).detach();
  for (const [name, functional] of Object.entries(options.functionals)) {
    const part = { part: name, tolerance };
    const sources = { expected: "of the input", found: "of the result" };
    if (functional instanceof Tensor) {
      if (!comparison.sameKind(name, tolerance, "the result, for a linear functional", after, before))
        continue;
      const [expected, found] = [inner(functional, before), inner(functional, after)];
      const size = Math.max(1, inner(functional.abs(), before.abs()));
      comparison.error(name, tolerance, Math.abs(found - expected) / size, () => ({
        where: `functional '${name}'`,
        expected,
        found,
        sources,
      }));
      continue;
    }
    const expected = functional(before);
    const scale = Math.max(1, largest(expected.values()));
    comparison.tensors(functional(after), expected, {
      ...part,
      where: `functional '${name}'`,
      sources,
      scale,
    });
  }
  return comparison.result();
}

/** {@link checkPreservedFunctionals}, throwing `E_LAW` with an explanation when it does not hold. */
export function expectPreservedFunctionals(
  subject: Subject,
  inputs: readonly Tensor[],
  options: PreservedFunctionalsOptions,
): LawResult {
  return requiredOf((f, xs) => checkPreservedFunctionals(f, xs, options), subject, inputs, options);
}
