import { Tensor } from "../../autograd/index.js";
import { observe, type Observation } from "../../autograd/observe.js";
import { apply } from "../../autograd/record.js";
import type { Op } from "../../autograd/op.js";

import { placeOf } from "./failure-message.js";
import { hintOf } from "./hint.js";
import type { WrongOperation } from "../law-failure.js";
import type { LawResult } from "../law-result.js";
import { problemOf, type Subject, type SubjectOptions, type TensorFunction } from "../subject.js";

/** A law asked of one operation as a function of its inputs. */
export type OperationCheck = (f: TensorFunction, inputs: readonly Tensor[]) => LawResult;

/** Options of {@link firstWrongOperation}. */
export interface FirstOperationOptions extends SubjectOptions {
  /** Operations with more numbers in and out than this are passed over. Default 4000. */
  readonly largest?: number;
  /** Milliseconds after which the search ends without a result. Default 2000. */
  readonly milliseconds?: number;
}

/**
 * The first operation, in the order of computation, that breaks a law on its own: each differentiable operation of the subject is asked
 * alone, at the inputs that it had. An operation that gets more than plain attributes (arrays, caches, functions) might not be a
 * function of its inputs alone; such a one is named only when no other breaks the law.
 *
 * @returns null when every operation keeps the law, undefined when that could not be found out
 */
export function firstWrongOperation(
  check: OperationCheck,
  subject: Subject,
  inputs: readonly Tensor[],
  { largest = 4000, milliseconds = 2000, ...options }: FirstOperationOptions = {},
): WrongOperation | null | undefined {
  const end = performance.now() + milliseconds;
  const seen = observed(subject, inputs, options);
  let unsure: WrongOperation | undefined;
  let complete = true;
  for (const [at, observation] of seen.entries()) {
    if (observation.node === undefined) continue;
    if (performance.now() > end || sizeOf(observation) > largest) {
      complete = false;
      continue;
    }
    const broken = brokenPlace(check, observation);
    if (broken === undefined) continue;
    const { op, source } = observation;
    const wrong = { name: op.name, at, source, ...broken };
    if (isPlain(observation.attributes)) return wrong;
    unsure ??= wrong;
  }
  return unsure ?? (complete ? null : undefined);
}

/** Every operation of one forward pass over leaves of its own. */
function observed(subject: Subject, inputs: readonly Tensor[], options: SubjectOptions): Observation[] {
  const { f, points } = problemOf(subject, inputs, { ...options, dtype: "float64" });
  const seen: Observation[] = [];
  const leaves = points.map((x) => new Tensor(x.array, true));
  observe(
    (observation) => seen.push(observation),
    () => f(...leaves),
    { sources: true },
  );
  return seen;
}

/** Where the operation breaks the law on its own; undefined when it keeps it, or cannot be asked. */
function brokenPlace(
  check: OperationCheck,
  { op, attributes, inputs, output }: Observation,
): Pick<WrongOperation, "where" | "hint"> | undefined {
  const alone: TensorFunction = (...xs) => apply(op as unknown as Op<unknown>, xs, copied(attributes));
  const points = inputs.map((x) => x.detach());
  try {
    if (!sameValues(alone(...points), output)) return undefined;
    const { passed, failure } = check(alone, points);
    if (passed || !failure) return undefined;
    const hint = failure.pattern && hintOf(failure.pattern);
    return { where: placeOf(failure), ...(hint && { hint }) };
  } catch {
    return undefined;
  }
}

function sizeOf({ inputs, output }: Observation): number {
  return inputs.reduce((sum, x) => sum + x.size, output.size);
}

function sameValues(a: Tensor, b: Tensor): boolean {
  const [x, y] = [a.values(), b.values()];
  return x.length === y.length && x.every((value, i) => Object.is(value, y[i]));
}

/** Attributes of its own for a call: an operation may keep intermediate values there. */
function copied(attributes: unknown): unknown {
  return typeof attributes === "object" && attributes !== null && !Array.isArray(attributes)
    ? Object.assign(Object.create(Object.getPrototypeOf(attributes) as object | null), attributes)
    : attributes;
}

/** Numbers, words, truth values, and lists and plain records of them. */
function isPlain(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if (ArrayBuffer.isView(value) || depth > 3) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((part) => isPlain(part, depth + 1));
}
