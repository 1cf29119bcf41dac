import { fail } from "../errors/index.js";
import { isFloating } from "../tensor/index.js";
import { isRecording, withRecording } from "./record.js";
import { Tensor } from "./tensor.js";

/** A function that was run on entries of its own, so that its derivative in them can be asked for. */
export interface Trace {
  readonly output: Tensor;
  /** The tensors that stood in for the arguments. */
  readonly entries: readonly Tensor[];
  /** Whether an outer derivative may flow through the result: the derivative must then be recorded too. */
  readonly createGraph: boolean;
}

/** A tensor that starts a graph of its own but, where the argument is itself recorded, still leads back to it. */
function entryOf(x: Tensor): Tensor {
  if (!isFloating(x.dtype))
    fail("E_DTYPE", `a derivative needs floating arguments, got ${x.dtype}; cast it first`);
  return x.requiresGrad && isRecording() ? x.mul(1) : new Tensor(x.array, true);
}

/** Runs f on stand-ins for its arguments. Throws `E_DTYPE` for integer arguments and `E_VALUE` when f returns no tensor. */
export function trace(f: (entries: readonly Tensor[]) => Tensor, args: readonly Tensor[]): Trace {
  const outer = isRecording();
  const entries = args.map(entryOf);
  const output = withRecording(true, () => f(entries));
  if (!(output instanceof Tensor)) {
    fail(
      "E_VALUE",
      `a derivative was asked of a function that returned ${typeof output}; expected it to return a tensor`,
    );
  }
  return {
    output,
    entries,
    createGraph: outer && (args.some((x) => x.requiresGrad) || closesOver(output, new Set(entries))),
  };
}

/** Whether the output depends on a tensor with requiresGrad other than through the entries. */
function closesOver(output: Tensor, entries: ReadonlySet<Tensor>): boolean {
  const seen = new Set<Tensor>();
  const stack = [output];
  for (let tensor = stack.pop(); tensor; tensor = stack.pop()) {
    if (seen.has(tensor) || entries.has(tensor) || !tensor.requiresGrad) continue;
    seen.add(tensor);
    if (!tensor.node?.inputs) return true;
    for (const input of tensor.node.inputs) stack.push(input);
  }
  return false;
}
