import type { Tensor } from "../autograd/index.js";
import { explained } from "./explain.js";
import { LawError } from "./law-failure.js";
import type { LawResult } from "./law-result.js";
import type { Subject, SubjectOptions } from "./subject.js";

/** The result of a law that held. Throws {@link LawError} (`E_LAW`) for one that did not. */
export function required(result: LawResult): LawResult {
  if (!result.passed) throw new LawError(result);
  return result;
}

/** Checks a law of a subject at inputs; a failure is explained before it is thrown. */
export function requiredOf<Options extends SubjectOptions>(
  check: (subject: Subject, inputs: readonly Tensor[], options?: Options) => LawResult,
  subject: Subject,
  inputs: readonly Tensor[],
  options: Options | undefined,
): LawResult {
  const result = check(subject, inputs, options);
  if (result.passed || options?.explain === false) return required(result);
  return required(explained(result, { check, subject, inputs, options }));
}
