import type { Tensor } from "../autograd/index.js";
import { Module } from "../nn/index.js";
import { firstWrongOperation } from "./failure/first-operation.js";
import { hintOf } from "./failure/hint.js";
import type { LawFailure, WrongOperation } from "./law-failure.js";
import { shrinkInputs, type Check } from "./failure/shrink-inputs.js";
import { tensorLiteral } from "./failure/tensor-literal.js";
import type { LawResult } from "./law-result.js";
import type { Subject, SubjectOptions } from "./subject.js";

/** A law that failed on a subject. */
export interface FailedCheck<Options extends SubjectOptions> {
  readonly check: Check<Options>;
  readonly subject: Subject;
  readonly inputs: readonly Tensor[];
  readonly options?: Options | undefined;
}

/**
 * The options with which a law is asked of one operation; undefined for a law about the whole. The points that an operation meets inside
 * a larger function are less friendly to differences than inputs are, so that the tolerances are wider, but below the error to be
 * explained.
 */
function optionsOfOperation({ law, worst }: LawResult): object | undefined {
  const within = (tolerance: number): number => Math.max(1e-9, Math.min(tolerance, worst / 30));
  switch (law) {
    case "CorrectGradients":
      return { tolerance: within(1e-6) };
    case "Adjoint":
      return { tolerance: within(1e-9), differencesTolerance: within(1e-5) };
    case "SecondOrder":
      return { tolerance: within(1e-4), symmetryTolerance: within(1e-8) };
    case "LinearPullback":
      return { tolerance: within(1e-9) };
    case "ZeroCotangent":
      return {};
    default:
      return undefined;
  }
}

let explaining = true;

/** Runs `f` without explanations, for who makes the inputs small himself and asks again at the end. */
export function unexplained<R>(f: () => R): R {
  const before = explaining;
  explaining = false;
  try {
    return f();
  } finally {
    explaining = before;
  }
}

/**
 * The result of a law that failed, at the smallest inputs for which it still does, with a hint from the pattern of the error, the first
 * operation that breaks the law on its own, and a line to paste. The errors are those at the smallest inputs. Bounded in time: some
 * seconds.
 */
export function explained<Options extends SubjectOptions>(
  result: LawResult,
  { check, subject, inputs, options }: FailedCheck<Options>,
): LawResult {
  if (!result.failure || !explaining) return result;
  const at = (f: Subject, xs: readonly Tensor[]): LawResult => check(f, xs, options);
  const shrunk = shrinkInputs(at, subject, inputs, { signature: options?.signature });
  const own = optionsOfOperation(result);
  const search = (xs: readonly Tensor[]): WrongOperation | null | undefined =>
    firstWrongOperation(
      (f, points) => check(f, points, own as Options),
      subject,
      xs,
      options?.module ? { module: options.module } : {},
    );
  // Large tensors show a pattern, small ones are soon gone through.
  const firstOperation = own && (search(inputs) ?? search(shrunk.inputs));
  const { hint: given, pattern } = result.failure;
  const smallest = shrunk.result.failure!;
  const hint = given ?? firstOperation?.hint ?? (pattern && hintOf(pattern));
  const failure: LawFailure = {
    ...smallest,
    ...(hint && { hint }),
    ...(firstOperation !== undefined && { firstOperation }),
    replay: replayLine(result.law, subject, shrunk.inputs, options),
  };
  return { ...shrunk.result, failure };
}

/** The longest line to paste. */
const longest = 2000;

function replayLine(
  law: string,
  subject: Subject,
  inputs: readonly Tensor[],
  options: SubjectOptions | undefined,
): string {
  const name = subject instanceof Module ? "module" : /^[\w$]+$/.test(subject.name) ? subject.name : "f";
  const rest = options && Object.keys(options).length > 0 ? ", options" : "";
  const call = (list: readonly string[]): string => `expect${law}(${name}, [${list.join(", ")}]${rest})`;
  const line = call(inputs.map(tensorLiteral));
  return line.length <= longest ? line : call(inputs.map((x) => `/* ${x.dtype} [${x.shape.join(", ")}] */`));
}
