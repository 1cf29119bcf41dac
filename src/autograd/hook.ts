import type { Op, PlainOp } from "./op.js";
import type { Tensor } from "./tensor.js";

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
