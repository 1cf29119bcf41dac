import type { GraphNode } from "./node.js";
import type { Op, PlainOp } from "./op.js";
import type { Tensor } from "./tensor.js";

/** What a backward pass carried to one tensor along one edge of the graph. */
export interface Contribution {
  /** The operation whose rule gave it, as it was recorded; undefined where the pass starts. */
  readonly node: GraphNode | undefined;
  /** The result of that operation. */
  readonly output: Tensor | undefined;
  /** Which input of the operation the tensor is; where the pass starts, which output of the whole. */
  readonly input: number;
  readonly tensor: Tensor;
  /** The cotangent, of the shape and type of the tensor; undefined where the rule gave none. */
  readonly part: Tensor | undefined;
  /** What has flowed to the tensor so far, this included; undefined when nothing has. */
  readonly sum: Tensor | undefined;
}

/** What stands between a call of an operation and its being carried out, while something asks for it. */
export interface Hook {
  /** What an operation gets in place of the inputs that it was called with. */
  given(inputs: readonly Tensor[]): readonly Tensor[];
  /** Told of an operation that was carried out. */
  applied(
    op: Op<never> | PlainOp<never>,
    attributes: unknown,
    inputs: readonly Tensor[],
    output: Tensor,
  ): void;
  /** Told of each cotangent as a backward pass adds it up, in that order. */
  readonly contributed?: ((contribution: Contribution) => void) | undefined;
}

/** The hook in use; undefined almost always, so that an operation costs one comparison more and nothing else. */
export let hook: Hook | undefined;

/** Runs `f` with another hook. Synchronous; the one before is back when `f` ends, also when it throws. */
export function withHook<R>(next: Hook, f: () => R): R {
  const before = hook;
  hook = next;
  try {
    return f();
  } finally {
    hook = before;
  }
}
