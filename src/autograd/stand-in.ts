import { hook, withHook } from "./hook.js";
import type { Tensor } from "./tensor.js";

/**
 * Runs `f` with other tensors in place of leaves that it closes over, such as the parameters of a module: values, types and
 * gradients inside are those of the stand-ins, and nothing of it is left on the leaves. This makes a module a function of its
 * parameters, which can then be differentiated, moved or cast like any other. Synchronous. What `f` returns must be a result of
 * operations, or be looked up among the stand-ins by the caller.
 */
export function withStandIns<R>(standIns: ReadonlyMap<Tensor, Tensor>, f: () => R): R {
  const outer = hook;
  const before = [...standIns.keys()].map((leaf) => [leaf, leaf.array] as const);
  const standInOf = (x: Tensor): Tensor => standIns.get(x) ?? x;
  for (const [leaf, standIn] of standIns) leaf.array = standIn.array;
  try {
    return withHook(
      {
        given: (inputs) => {
          const own = inputs.some((x) => standIns.has(x)) ? inputs.map(standInOf) : inputs;
          return outer ? outer.given(own) : own;
        },
        applied: (...operation) => outer?.applied(...operation),
        contributed: outer?.contributed,
      },
      f,
    );
  } finally {
    for (const [leaf, array] of before) leaf.array = array;
  }
}
