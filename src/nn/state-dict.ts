import { Tensor } from "../autograd/index.js";
import { fail, formatGiven } from "../errors/index.js";
import { formatShape, isFloating, sameShape } from "../tensor/index.js";
import type { Parameter } from "./parameter.js";

/** The values of a model's parameters by name, as PyTorch names and shapes them. */
export type StateDict = Record<string, Tensor>;

/** What is wrong with an entry, or undefined. */
function misfit(name: string, parameter: Parameter, value: unknown): string | undefined {
  if (!(value instanceof Tensor))
    return `${name} (expected a tensor, got ${value === null ? "null" : typeof value})`;
  if (!isFloating(value.dtype)) return `${name} (expected float32 or float64, got ${value.dtype})`;
  if (sameShape(value.shape, parameter.shape)) return undefined;
  return `${name} (expected ${formatShape(parameter.shape)}, got ${formatShape(value.shape)})`;
}

/** Assigns every entry to its parameter, or throws `E_STATE_DICT` and assigns none. */
export function loadInto(
  parameters: readonly (readonly [string, Parameter])[],
  state: Readonly<StateDict>,
): void {
  if (typeof state !== "object" || state === null)
    fail(
      "E_STATE_DICT",
      `loadStateDict: nothing was loaded; expected tensors by name, got ${formatGiven(state)}`,
    );
  const names = new Set(parameters.map(([name]) => name));
  const missing = parameters.map(([name]) => name).filter((name) => !Object.hasOwn(state, name));
  const unexpected = Object.keys(state).filter((name) => !names.has(name));
  const misfits = parameters
    .filter(([name]) => Object.hasOwn(state, name))
    .map(([name, parameter]) => misfit(name, parameter, state[name]))
    .filter((text) => text !== undefined);
  const faults = [
    ["missing", missing],
    ["unexpected", unexpected],
    ["not fitting", misfits],
  ] as const;
  if (faults.some(([, list]) => list.length > 0)) {
    const listed = faults
      .filter(([, list]) => list.length > 0)
      .map(([what, list]) => `${what}: ${list.join(", ")}`);
    fail("E_STATE_DICT", `loadStateDict: nothing was loaded; ${listed.join("; ")}`);
  }
  for (const [name, parameter] of parameters) parameter.assign(state[name]!.detach().cast(parameter.dtype));
}
