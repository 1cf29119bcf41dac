import { fail, formatGiven } from "../errors/index.js";
import { isFloating, type NDArray } from "../tensor/index.js";
import { hook } from "./hook.js";
import { currentLifetime } from "./lifetime.js";
import { isSpent, type GraphNode } from "./node.js";
import type { Op, PlainOp } from "./op.js";
import { Tensor } from "./tensor.js";

let recording = true;
let lastId = 0;

/** Runs `f` without recording: its results do not require gradients. Synchronous; restores the state when `f` throws. */
export function noGrad<R>(f: () => R): R {
  if (typeof f !== "function") fail("E_VALUE", `noGrad: expected a function, got ${formatGiven(f)}`);
  return withRecording(false, f);
}

/** Runs `f` with recording on or off. */
export function withRecording<R>(on: boolean, f: () => R): R {
  const before = recording;
  recording = on;
  try {
    return f();
  } finally {
    recording = before;
  }
}

/** Whether operations are recorded now. */
export function isRecording(): boolean {
  return recording;
}

/** Runs an operation, and records it when an input requires a gradient. */
export function apply<A>(op: Op<A>, inputs: readonly Tensor[], attributes: A): Tensor {
  if (hook === undefined) return carriedOut(op, inputs, attributes);
  const given = hook.given(inputs);
  const output = carriedOut(op, given, attributes);
  hook.applied(op as unknown as Op<never>, attributes, given, output);
  return output;
}

function carriedOut<A>(op: Op<A>, inputs: readonly Tensor[], attributes: A): Tensor {
  const count = inputs.length;
  const arrays = new Array<NDArray>(count);
  let needed = false;
  for (let i = 0; i < count; i++) {
    const input = inputs[i]!;
    arrays[i] = input.array;
    needed ||= input.requiresGrad;
  }
  const value = op.forward(arrays, attributes).fresh();
  if (!needed || !recording || !isFloating(value.dtype)) return new Tensor(value);
  return new Tensor(value, true, nodeFor(op as unknown as Op<never>, inputs, attributes));
}

/** The record of an operation; freed from the start when a part of the graph before it was. */
function nodeFor(op: Op<never>, inputs: readonly Tensor[], attributes: unknown): GraphNode {
  const versions = new Array<number>(inputs.length);
  let spent = false;
  for (let i = 0; i < inputs.length; i++) {
    const { node, version } = inputs[i]!;
    versions[i] = version;
    if (node && isSpent(node)) spent = true;
  }
  const id = ++lastId;
  return spent
    ? { id, op, attributes: undefined, inputs: undefined, versions: [], lifetime: undefined }
    : { id, op, attributes, inputs, versions, lifetime: currentLifetime() };
}

/** Runs an operation that has no gradient; its result is never recorded. */
export function applyPlain<A>(op: PlainOp<A>, inputs: readonly Tensor[], attributes: A): Tensor {
  const given = hook === undefined ? inputs : hook.given(inputs);
  const output = new Tensor(
    op.forward(
      given.map((input) => input.array),
      attributes,
    ),
  );
  hook?.applied(op as unknown as PlainOp<never>, attributes, given, output);
  return output;
}
