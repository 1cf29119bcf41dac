import { checkedOptions, checkNumbers, fail, formatGiven } from "../errors/index.js";
import { formatShape, sameShape } from "../tensor/index.js";
import { gradients } from "./backward.js";
import { onesLike, zerosLike } from "./create.js";
import { isRecording } from "./record.js";
import { Tensor } from "./tensor.js";
import { trace, type Trace } from "./trace.js";
import { leavesOf, mapTree, type Tree } from "./tree.js";
import type { WalkOptions } from "./walker.js";

/** The cotangents of the entries. A function has derivative 0 in an argument that it does not use: exactly, not for want of a value. */
function pullBack({ output, entries }: Trace, cotangent: Tensor, options: WalkOptions): Tensor[] {
  if (!output.requiresGrad) return entries.map(zerosLike);
  const found = gradients(output, entries, { cotangents: [cotangent], ...options });
  return entries.map((x, i) => found[i] ?? zerosLike(x));
}

/** Like {@link pullBack}, for several outputs of which some may not depend on anything. */
function pullBackAll(
  outputs: readonly Tensor[],
  cotangents: readonly Tensor[],
  inputs: readonly Tensor[],
  options: WalkOptions,
): Tensor[] {
  const live = outputs.map((_, i) => i).filter((i) => outputs[i]!.requiresGrad);
  if (live.length === 0) return inputs.map(zerosLike);
  const found = gradients(
    live.map((i) => outputs[i]!),
    inputs,
    { cotangents: live.map((i) => cotangents[i]!), ...options },
  );
  return inputs.map((x, i) => found[i] ?? zerosLike(x));
}

/** Whether the derivative must be recorded: it may be differentiated through the arguments or through these directions. */
function keepsGraph(run: Trace, directions: readonly Tensor[]): boolean {
  return run.createGraph || (isRecording() && directions.some((direction) => direction.requiresGrad));
}

function checkFunction(name: string, f: unknown): void {
  if (typeof f !== "function")
    fail("E_VALUE", `${name}: expected a function of tensors, got ${formatGiven(f)}`);
}

function checkTensors(name: string, what: string, list: readonly unknown[]): void {
  if (!Array.isArray(list) || !Array.from(list).every((x) => x instanceof Tensor))
    fail("E_VALUE", `${name}: expected a list of tensors as ${what}, got ${typeof list}`);
}

function checkScalar(name: string, output: Tensor): void {
  if (output.size !== 1) {
    fail(
      "E_SHAPE",
      `${name}: expected a function with a scalar result, got shape ${formatShape(output.shape)}; sum() it, or use vjp`,
    );
  }
}

function checkTangents(name: string, args: readonly Tensor[], tangents: readonly Tensor[]): void {
  checkTensors(name, "arguments", args);
  if (!Array.isArray(tangents))
    fail("E_VALUE", `${name}: expected a list of tangents, got ${typeof tangents}`);
  if (args.length !== tangents.length)
    fail("E_SHAPE", `${name}: expected ${args.length} tangents, got ${tangents.length}`);
  args.forEach((x, i) => {
    if (!(tangents[i] instanceof Tensor))
      fail("E_VALUE", `${name}: expected tangent ${i} to be a tensor, got ${typeof tangents[i]}`);
    if (!sameShape(x.shape, tangents[i]!.shape)) {
      fail(
        "E_SHAPE",
        `${name}: expected tangent ${i} of shape ${formatShape(x.shape)}, got ${formatShape(tangents[i]!.shape)}`,
      );
    }
  });
}

/** Options of {@link grad} and {@link valueAndGrad}. */
export interface GradOptions {
  /** The position of the argument to differentiate in. Default 0. */
  readonly argument?: number;
}

/**
 * The function that gives f's value and its gradient in one argument (a tensor, or lists and records of tensors; the gradient has
 * the same structure). May be nested for higher derivatives. Tensors that f closes over keep their `grad`.
 */
export function valueAndGrad<Args extends readonly Tree[]>(
  f: (...args: Args) => Tensor,
  options: GradOptions = {},
): (...args: Args) => { value: Tensor; gradient: Args[0] } {
  const position = checkedOptions("grad", options).argument ?? 0;
  checkNumbers("grad", { argument: position });
  if (typeof f !== "function") fail("E_VALUE", `grad: expected a function of tensors, got ${typeof f}`);
  return (...args) => {
    const target = args[position];
    if (target === undefined)
      fail("E_VALUE", `grad: expected an argument at position ${position}, got ${args.length} arguments`);
    const rebuilt = (parts: readonly Tensor[]): Tree => {
      let next = 0;
      return mapTree(target, () => parts[next++]!);
    };
    const run = trace(
      (entries) => f(...(args.map((arg, i) => (i === position ? rebuilt(entries) : arg)) as unknown as Args)),
      leavesOf(target),
    );
    checkScalar("grad", run.output);
    const found = pullBack(run, onesLike(run.output), { createGraph: run.createGraph });
    return { value: run.createGraph ? run.output : run.output.detach(), gradient: rebuilt(found) as Args[0] };
  };
}

/** The function that gives the gradient of a scalar function f in one argument; see {@link valueAndGrad}. */
export function grad<Args extends readonly Tree[]>(
  f: (...args: Args) => Tensor,
  options: GradOptions = {},
): (...args: Args) => Args[0] {
  const both = valueAndGrad(f, options);
  return (...args) => both(...args).gradient;
}

/** f's value and its pullback: cotangent ↦ (Jᵀ·cotangent for each argument). The pullback may be called many times. */
export function vjp(
  f: (...xs: Tensor[]) => Tensor,
  ...xs: Tensor[]
): { value: Tensor; pullback: (cotangent: Tensor) => Tensor[] } {
  checkFunction("vjp", f);
  checkTensors("vjp", "arguments", xs);
  const run = trace((entries) => f(...entries), xs);
  return {
    value: run.createGraph ? run.output : run.output.detach(),
    pullback: (cotangent) => {
      if (!(cotangent instanceof Tensor)) {
        fail(
          "E_VALUE",
          `pullback: expected a cotangent of shape ${formatShape(run.output.shape)}, got ${typeof cotangent}`,
        );
      }
      return pullBack(run, cotangent, { createGraph: keepsGraph(run, [cotangent]), retainGraph: true });
    },
  };
}

/**
 * f's value and its directional derivative J·tangents. The pullback is linear in its cotangent u, so J·v is the derivative of
 * ⟨Jᵀu, v⟩ in u: the same rules, used twice.
 */
export function jvp(
  f: (...xs: Tensor[]) => Tensor,
  xs: readonly Tensor[],
  tangents: readonly Tensor[],
): { value: Tensor; tangent: Tensor } {
  checkFunction("jvp", f);
  checkTangents("jvp", xs, tangents);
  const run = trace((entries) => f(...entries), xs);
  const value = run.createGraph ? run.output : run.output.detach();
  if (!run.output.requiresGrad) return { value, tangent: zerosLike(run.output) };
  const probe = zerosLike(run.output).cast(run.output.dtype);
  const u = trace((entries) => entries[0]!, [probe]).entries[0]!;
  const pulled = pullBack(run, u, { createGraph: true });
  const [tangent] = pullBackAll(pulled, tangents, [u], { createGraph: keepsGraph(run, tangents) });
  return { value, tangent: tangent! };
}

/** The gradient of a scalar function and its Hessian times v: H·v = ∂⟨∇f, v⟩/∂x. */
export function hvp(
  f: (...xs: Tensor[]) => Tensor,
  xs: readonly Tensor[],
  vs: readonly Tensor[],
): { gradient: Tensor[]; product: Tensor[] } {
  checkFunction("hvp", f);
  checkTangents("hvp", xs, vs);
  const run = trace((entries) => f(...entries), xs);
  checkScalar("hvp", run.output);
  const gradient = pullBack(run, onesLike(run.output), { createGraph: true });
  const product = pullBackAll(gradient, vs, run.entries, { createGraph: keepsGraph(run, vs) });
  return { gradient: run.createGraph ? gradient : gradient.map((g) => g.detach()), product };
}
