import fc from "fast-check";
import { scope, Tensor, zeros } from "../../src/autograd/index.js";
import { GradstandError, isErrorCode } from "../../src/errors/index.js";
import { dtypeOf, kernelSets, useKernels } from "../../src/tensor/index.js";
import { CallersError, Draw } from "./draw.js";
import { sizeOf, type Expected } from "./oracle.js";
import type { FuzzSubject } from "./subject.js";

/** What came of the calls of one function. */
export interface Tally {
  readonly name: string;
  returned: number;
  refused: number;
  /** What the caller's own object threw came out as it was. */
  callers: number;
  slowest: number;
  readonly faults: string[];
}

type Callable = (...args: unknown[]) => unknown;
const sets = [...kernelSets.keys()];

/** The error with a code that is expected of the package, the caller's own, or undefined for any other. */
function kindOf(error: unknown): "refused" | "caller" | undefined {
  if (error instanceof CallersError) return "caller";
  if (!(error instanceof GradstandError)) return undefined;
  const { code } = error;
  return typeof code === "string" && isErrorCode(code) && code !== "E_INTERNAL" ? "refused" : undefined;
}

/** Why a tensor is not well formed. */
function malformed(x: Tensor): string | undefined {
  if (!x.shape.every((n) => Number.isSafeInteger(n) && n >= 0)) return `shape ${String(x.shape)}`;
  if (sizeOf(x.shape) !== x.size || x.values().length !== x.size)
    return `size ${x.size} of ${String(x.shape)}`;
  if (dtypeOf(x.array.data) !== x.dtype) return `type ${x.dtype} with other elements`;
  if (x.dtype === "bool" && !x.values().every((v) => v === 0 || v === 1))
    return "bool that is neither 0 nor 1";
  return String(x).startsWith("tensor(") ? undefined : "text";
}

/** How a result differs from what was expected. */
function differs(result: unknown, expected: Expected): string | undefined {
  if (expected === undefined) return undefined;
  if (expected === "refused") return "returned what NumPy refuses";
  if (!(result instanceof Tensor)) return "returned no tensor";
  if (String(result.shape) !== String(expected.shape) || result.rank !== expected.shape.length)
    return `shape [${String(result.shape)}], expected [${String(expected.shape)}]`;
  if (result.dtype !== expected.dtype) return `type ${result.dtype}, expected ${expected.dtype}`;
  const found = result.values();
  const at =
    expected.values?.findIndex((v, i) => !(found[i] === v || (Number.isNaN(v) && Number.isNaN(found[i])))) ??
    -1;
  return at < 0 ? undefined : `element ${at} is ${found[at]}, expected ${expected.values![at]}`;
}

/** The tensors in a value, also in lists; hostile objects hold none. */
function tensorsIn(value: unknown, depth = 0): Tensor[] {
  try {
    if (value instanceof Tensor) return [value];
    return Array.isArray(value) && depth < 4 ? value.flatMap((part) => tensorsIn(part, depth + 1)) : [];
  } catch {
    return [];
  }
}

/** A backward pass through what came out: gradients in the shape and type of the leaves. */
function wrongGradient(result: Tensor, args: readonly unknown[]): string | undefined {
  if (!result.requiresGrad || result.isLeaf) return undefined;
  try {
    result.backward(zeros(result.shape, { dtype: result.dtype }).add(1));
  } catch (error) {
    return kindOf(error) ? undefined : `backward threw ${String(error)}`;
  }
  for (const leaf of tensorsIn(args)) {
    const { grad } = leaf;
    if (!grad) continue;
    leaf.grad = undefined;
    if (String(grad.shape) !== String(leaf.shape) || grad.dtype !== leaf.dtype)
      return `gradient ${grad.dtype} [${String(grad.shape)}] of a leaf ${leaf.dtype} [${String(leaf.shape)}]`;
  }
  return undefined;
}

function text(args: readonly unknown[]): string {
  return args
    .map((arg) => {
      try {
        return (arg instanceof Tensor ? `${arg.dtype} [${String(arg.shape)}]` : fc.stringify(arg)).slice(
          0,
          160,
        );
      } catch {
        return "something that cannot be shown";
      }
    })
    .join("; ");
}

/** Calls a function `calls` times with arguments drawn from a seed, in turn with each kernel set, on the heap and in scopes. */
export function fuzz(name: string, subject: FuzzSubject, f: Callable, calls: number, seed: string): Tally {
  const tally: Tally = { name, returned: 0, refused: 0, callers: 0, slowest: 0, faults: [] };
  for (let i = 0; i < calls; i++) {
    const draw = new Draw(`${seed}/${name}/${i}`);
    const args = subject.args(draw);
    const expected = draw.wasHostile ? undefined : subject.expected?.(args);
    const fault = (what: string): void =>
      void tally.faults.push(`${name}(${text(args)}), call ${i}: ${what}`);
    useKernels(sets[i % sets.length]!);
    const before = tensorsIn(args).map((x) => x.values());
    const check = (result: unknown): void => {
      const found = tensorsIn(result);
      const wrong =
        found.map(malformed).find((w) => w !== undefined) ??
        differs(result, expected) ??
        found.slice(0, 1).map((x) => wrongGradient(x, args))[0];
      if (wrong !== undefined) fault(wrong);
    };
    const start = performance.now();
    try {
      const call = (): unknown => (subject.run ? subject.run(args) : f(...args));
      if (i % 4 === 3 && name !== "scope") scope(() => void check(call()));
      else check(call());
      tally.returned++;
    } catch (error) {
      const kind = kindOf(error);
      if (kind === "caller") tally.callers++;
      else if (kind === undefined)
        fault(
          `threw ${String(error)} ${String((error as Error).stack)
            .split("\n")
            .slice(1, 4)
            .join(" ")
            .replace(/\s+/g, " ")}`,
        );
      else if (expected !== undefined && expected !== "refused") fault(`refused: ${String(error)}`);
      else tally.refused++;
    }
    tally.slowest = Math.max(tally.slowest, performance.now() - start);
    if (!["Tensor", "Adam", "AdamW", "SGD"].includes(name))
      tensorsIn(args).forEach((x, j) => {
        if (x.values().some((v, k) => !Object.is(v, before[j]![k]))) fault(`changed its argument ${j}`);
      });
  }
  useKernels(sets.at(-1)!);
  return tally;
}
