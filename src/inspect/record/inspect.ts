import { asTensor, onesLike, Tensor, type TensorLike } from "../../autograd/index.js";
import { observe, type Observation } from "../../autograd/observe.js";
import { withRecording } from "../../autograd/record.js";
import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import { Module } from "../../nn/index.js";
import { withUnfused } from "../../nn/unfused.js";
import { formatShape, isFloating, sameShape } from "../../tensor/index.js";
import { schemaVersion, type CodeLine, type InspectDocument } from "../document.js";
import { backwardPass } from "./backward-pass.js";
import { ModuleCalls, type NamedModules } from "./module-calls.js";
import { NodeRecorder, type Place } from "./node-recorder.js";

/** A function of tensors, or a module with `forward`. */
export type Inspected =
  ((...inputs: Tensor[]) => Tensor) | (Module & { forward(...inputs: Tensor[]): Tensor });

/** Options of {@link inspect}. */
export interface InspectOptions {
  /** What the document says was inspected. Default: the name of the function or class. */
  readonly subject?: string;
  /** The names of the inputs, in order. Default: `input 0`, `input 1`, … */
  readonly names?: readonly string[];
  /** Modules that the function uses: their parameters are named, and operations are told by the module that they belong to. */
  readonly modules?: Module | NamedModules;
  /** Names of other tensors that the function uses. */
  readonly named?: Readonly<Record<string, Tensor>>;
  /** Note the line of code that each operation was called from, which costs microseconds an operation. Default false. */
  readonly sources?: boolean;
  /** Compose fused layers (GRU, attention, layer norm, losses) of elementary operations, step by step. Default false. */
  readonly unfused?: boolean;
  /** The cotangent of the output. Default 1 for a scalar, ones otherwise: the gradients of the sum. */
  readonly cotangent?: TensorLike;
  /** Arrays of at most so many elements are kept whole, larger ones as a summary. Default 32. */
  readonly full?: number;
  /**
   * Keep in the document what {@link replay} needs: leaves, constants and settings of operations whole, up to so many bytes; true stands for
   * {@link usualReplayBytes}. Default false.
   */
  readonly replayable?: boolean | number;
}

/** Bytes that a document keeps for a replay where no number is given: 8 MiB. */
export const usualReplayBytes = 2 ** 23;

/**
 * Runs a function or module and its backward pass, and returns what happened as plain JSON: every operation with its value, and
 * every contribution to a gradient in the order in which it was added. The gradients are those of `backward`, to the last bit; no
 * `grad` is changed. Floating inputs that are no leaves with a gradient stand in for themselves as such.
 *
 * @throws E_VALUE when it is no function or module, or returns no tensor; E_SHAPE for a cotangent of another shape; E_SCOPE when it
 *   returns its result from a scope
 */
export function inspect(
  f: Inspected,
  inputs: readonly TensorLike[],
  options: InspectOptions = {},
): InspectDocument {
  checkedOptions("inspect", options);
  const run = functionOf(f);
  if (!Array.isArray(inputs))
    fail("E_VALUE", `inspect: expected a list of inputs, got ${formatGiven(inputs)}`);
  const { names = [], named = {}, sources = false, unfused = false, full = 32 } = options;
  if (!Number.isSafeInteger(full) || full < 1)
    fail("E_VALUE", `inspect: expected full to be a whole number above 0, got ${formatGiven(full)}`);
  const modules = modulesOf(options.modules ?? (f instanceof Module ? f : {}));
  const calls = new ModuleCalls();
  const nodes = new NodeRecorder(full, placeIn(calls), bytesOf(options.replayable));

  const entries = inputs.map((input: TensorLike) => leafOf(asTensor(input)));
  entries.forEach((entry, i) => nodes.given(entry, names[i] ?? `input ${i}`));
  for (const [name, tensor] of Object.entries(named)) nodes.given(tensor, name);
  for (const [root, module] of Object.entries(modules))
    for (const [path, parameter] of module.namedParameters())
      nodes.given(parameter, [root, path].filter(Boolean).join("."));

  const forward = (): Tensor =>
    observe(
      (observation) => nodes.carriedOut(observation),
      () => calls.during(modules, () => run(...entries)),
      {
        sources,
      },
    );
  const output = withRecording(true, () => withUnfused(unfused, forward));
  if (!(output instanceof Tensor)) refuseResult(output);
  const outputId = nodes.given(output);
  if (nodes.nodes[outputId]!.requiresGrad && !output.requiresGrad)
    fail(
      "E_SCOPE",
      "inspect: the function returned its result from a scope, which ends what was recorded in it; inspect it without the scope",
    );
  const cotangent = cotangentOf(output, options.cotangent);
  if (options.cotangent !== undefined) nodes.kept?.started(cotangent);
  const events = backwardPass(output, cotangent, nodes, full);
  return {
    schemaVersion,
    kind: "gradstand inspection",
    subject: options.subject ?? nameOf(f),
    unfused,
    nodes: nodes.nodes,
    calls: calls.calls,
    operations: nodes.operations,
    output: outputId,
    start: options.cotangent !== undefined ? "given" : output.size === 1 ? "one" : "ones",
    events,
    ...(nodes.kept && { recording: nodes.kept.recording }),
  };
}

/** The module call and the time step that are at work, and the line of code where that was looked up. */
function placeIn(calls: ModuleCalls): (observation: Observation) => Place {
  return ({ source }) => {
    const { current: call, time } = calls;
    return {
      ...(call !== undefined && { call }),
      ...(time !== undefined && { time }),
      ...(source && { source: codeLine(source) }),
    };
  };
}

function codeLine({ file, line, column, within }: NonNullable<Observation["source"]>): CodeLine {
  return { file, line, column, ...(within !== undefined && { within }) };
}

function bytesOf(replayable: boolean | number = false): number | undefined {
  if (typeof replayable === "boolean") return replayable ? usualReplayBytes : undefined;
  if (!Number.isSafeInteger(replayable) || replayable < 0)
    fail(
      "E_VALUE",
      `inspect: expected replayable to be true, false or a number of bytes, got ${formatGiven(replayable)}`,
    );
  return replayable;
}

function functionOf(f: Inspected): (...inputs: Tensor[]) => Tensor {
  if (typeof f === "function") return f;
  if (f instanceof Module && typeof f.forward === "function") return (...inputs) => f.forward(...inputs);
  return fail(
    "E_VALUE",
    `inspect: expected a function of tensors or a module with forward, got ${formatGiven(f)}`,
  );
}

function nameOf(f: Inspected): string {
  return f instanceof Module ? f.constructor.name : f.name || "function";
}

function modulesOf(given: Module | NamedModules): NamedModules {
  const modules = given instanceof Module ? { "": given } : given;
  for (const [name, module] of Object.entries(modules))
    if (!(module instanceof Module))
      fail("E_VALUE", `inspect: expected modules.${name} to be a module, got ${formatGiven(module)}`);
  return modules;
}

/** A floating tensor as a leaf with a gradient; any other as it is. */
function leafOf(x: Tensor): Tensor {
  if (!isFloating(x.dtype) || (x.requiresGrad && x.isLeaf)) return x;
  return new Tensor(x.array, true);
}

function cotangentOf(output: Tensor, given: TensorLike | undefined): Tensor {
  if (given === undefined) return onesLike(output);
  const cotangent = asTensor(given, output.dtype);
  if (!sameShape(cotangent.shape, output.shape))
    fail(
      "E_SHAPE",
      `inspect: expected a cotangent of shape ${formatShape(output.shape)}, got ${formatShape(cotangent.shape)}`,
    );
  return cotangent.dtype === output.dtype ? cotangent : cotangent.cast(output.dtype);
}

function refuseResult(result: unknown): never {
  const parts =
    typeof result === "object" && result !== null
      ? Object.keys(result).filter((key) => (result as Record<string, unknown>)[key] instanceof Tensor)
      : [];
  const hint = parts.length > 0 ? `; choose one of ${parts.join(", ")}: (...x) => f(...x).${parts[0]}` : "";
  return fail(
    "E_VALUE",
    `inspect: expected the function to return a tensor, got ${formatGiven(result)}${hint}`,
  );
}
