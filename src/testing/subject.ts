import { concat, Tensor } from "../autograd/index.js";
import { withStandIns } from "../autograd/stand-in.js";
import { fail } from "../errors/index.js";
import { Module } from "../nn/index.js";
import { isFloating, type FloatDType } from "../tensor/index.js";

/** A function of tensors to a tensor, the subject of most laws. */
export type TensorFunction = (...xs: Tensor[]) => Tensor;

/**
 * A module as the subject of a law: its `forward` is called with the inputs. When that gives several tensors (a record or a list), they
 * count as one, flattened and joined.
 */
export type ModuleSubject = Module & { forward(...xs: never[]): unknown };

/** What a law is checked on. */
export type Subject = TensorFunction | ModuleSubject;

/** Options of every law about gradients. */
export interface SubjectOptions {
  /** A module whose parameters a function uses; they are checked as the inputs are, by name. A module as subject needs no mention. */
  readonly module?: Module;
  /** Names of the inputs in messages. Default `input 0`, `input 1`, … */
  readonly names?: readonly string[];
  /** Axes by name, such as `(m,n),(n,p)->(m,p)`: those of one name are shrunk together when a failure is made small. */
  readonly signature?: string;
  /** Make the failing inputs small and look for the operation at fault. Default true; false where a failure is only counted. */
  readonly explain?: boolean;
}

/** A subject as a function of what a derivative can be taken in. */
export interface Problem {
  readonly f: TensorFunction;
  /** The floating inputs, then the parameters, free of any graph. */
  readonly points: readonly Tensor[];
  readonly names: readonly string[];
  /** How many of the points are inputs. */
  readonly inputs: number;
}

/** Options of {@link problemOf}. */
export interface ProblemOptions extends SubjectOptions {
  /** Cast the points to this type. */
  readonly dtype?: FloatDType;
  /** Whether parameters are points too; otherwise they stay as they are. Default true. */
  readonly parameters?: boolean;
}

/** A subject and its inputs as a function of floating tensors alone: integer and bool inputs are held, parameters become arguments. */
export function problemOf(
  subject: Subject,
  inputs: readonly Tensor[],
  { module, names, dtype, parameters = true }: ProblemOptions = {},
): Problem {
  checkInputs(inputs);
  const floating = inputs.map((x, i) => (isFloating(x.dtype) ? i : -1)).filter((i) => i >= 0);
  const modules = [subject instanceof Module ? subject : undefined, module];
  const named = new Map(modules.flatMap((one) => (parameters ? (one?.namedParameters() ?? []) : [])));
  const leaves = [...named.values()];
  const free = (x: Tensor): Tensor => (dtype ? x.detach().cast(dtype) : x.detach());
  return {
    points: [...floating.map((i) => free(inputs[i]!)), ...leaves.map(free)],
    names: [...floating.map((i) => names?.[i] ?? `input ${i}`), ...named.keys()],
    inputs: floating.length,
    f: (...xs) => {
      const args = [...inputs];
      floating.forEach((i, at) => (args[i] = xs[at]!));
      if (leaves.length === 0) return called(subject, args);
      const standIns = new Map<Tensor, Tensor>(leaves.map((leaf, i) => [leaf, xs[floating.length + i]!]));
      return withStandIns(standIns, () => {
        const out = called(subject, args);
        return standIns.get(out) ?? out;
      });
    },
  };
}

/** The subject's result as one tensor. */
export function called(subject: Subject, args: readonly Tensor[]): Tensor {
  const out = subject instanceof Module ? subject.forward(...(args as never[])) : subject(...args);
  const parts = tensorsIn(out);
  if (parts.length === 0)
    fail(
      "E_VALUE",
      `a law was asked of a subject that returned ${typeof out}; expected it to return a tensor`,
    );
  return parts.length === 1 ? parts[0]! : concat(parts.map((part) => part.reshape([-1])));
}

function tensorsIn(value: unknown): Tensor[] {
  if (value instanceof Tensor) return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((part) => (part instanceof Tensor ? [part] : []));
}

function checkInputs(inputs: readonly Tensor[]): void {
  if (!Array.isArray(inputs) || !inputs.every((x) => x instanceof Tensor))
    fail("E_VALUE", "a law expects its inputs as a list of tensors, such as [tensor([1, 2])]");
}

/** Throws `E_DTYPE` unless a result keeps the type of its inputs, so that differences mean something. */
export function requireFloat64(law: string, value: Tensor): void {
  if (value.dtype === "float64") return;
  fail(
    "E_DTYPE",
    `${law}: expected the subject to compute in float64 for float64 inputs, got ${value.dtype}; a float32 constant or cast inside rounds`,
  );
}
