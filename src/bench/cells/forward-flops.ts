import { noGrad, scope } from "../../autograd/index.js";
import { observe } from "../../autograd/observe.js";

/** Operations that move numbers and compute none. */
const moving: ReadonlySet<string> = new Set([
  "cast",
  "concat",
  "expand",
  "flip",
  "gather",
  "gruTurnstile",
  "joinSteps",
  "pad",
  "permute",
  "reshape",
  "slice",
  "split",
  "stack",
  "unslice",
]);

/**
 * Floating-point operations of a forward pass, counted by what its operations say of themselves: see `Op.flops`. A
 * training step takes about three times as many, whatever the model, for the backward pass costs about two forward ones.
 */
export function forwardFlops(forward: () => unknown): number {
  let total = 0;
  const count: Parameters<typeof observe>[0] = ({ op, attributes, inputs, output }) => {
    if (!moving.has(op.name)) total += op.flops?.(inputs, output, attributes as never) ?? output.size;
  };
  noGrad(() => scope(() => void observe(count, forward)));
  return total;
}
