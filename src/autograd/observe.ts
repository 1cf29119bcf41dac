import { hook, withHook, type Contribution } from "./hook.js";
import type { GraphNode } from "./node.js";
import type { Op, PlainOp } from "./op.js";
import { sourceLine, type SourceLine } from "./source-line.js";
import type { Tensor } from "./tensor.js";

/** An operation that was carried out. */
export interface Observation {
  readonly op: Op<never> | PlainOp<never>;
  readonly attributes: unknown;
  readonly inputs: readonly Tensor[];
  readonly output: Tensor;
  /** How it was recorded; undefined for what has no gradient or needed none. */
  readonly node: GraphNode | undefined;
  /** The line of the caller's code that asked for it; only when it was wanted, and only where the engine tells. */
  readonly source: SourceLine | undefined;
}

/** Options of {@link observe}. */
export interface ObserveOptions {
  /** Look up the line of code that each operation was called from, which costs microseconds. Default false. */
  readonly sources?: boolean;
  /** Told of each cotangent that a backward pass carries along an edge of the graph, in the order in which they are added up. */
  readonly contributed?: (contribution: Contribution) => void;
}

/**
 * Runs `f` and tells `listener` of every operation in it, in the order in which they are carried out, those of a backward pass
 * included. Nothing is observed while the listener itself runs. Observers nest: an outer one is told as well, after the inner
 * one. Synchronous.
 */
export function observe<R>(
  listener: (observation: Observation) => void,
  f: () => R,
  { sources = false, contributed }: ObserveOptions = {},
): R {
  const outer = hook;
  let telling = false;
  const further = outer?.contributed;
  const tellContribution = (contribution: Contribution): void => {
    if (telling) return;
    telling = true;
    try {
      contributed?.(contribution);
    } finally {
      telling = false;
    }
    further?.(contribution);
  };
  return withHook(
    {
      given: (inputs) => (outer ? outer.given(inputs) : inputs),
      applied: (op, attributes, inputs, output) => {
        if (telling) return;
        telling = true;
        try {
          const source = sources ? sourceLine() : undefined;
          listener({ op, attributes, inputs, output, node: output.node, source });
        } finally {
          telling = false;
        }
        outer?.applied(op, attributes, inputs, output);
      },
      contributed: contributed ? tellContribution : further,
    },
    f,
  );
}
