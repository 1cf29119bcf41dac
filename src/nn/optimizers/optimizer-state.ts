import type { Tensor } from "../../autograd/index.js";
import { fail, formatGiven } from "../../errors/index.js";
import { formatShape, sameShape, type Floats } from "../../tensor/index.js";
import type { Slot } from "./optimizer.js";

/** A saved optimizer: one slot for each parameter, in order; null where none was updated yet. */
export interface OptimizerState {
  readonly name: string;
  readonly lr: number;
  readonly slots: readonly ({ readonly steps: number; readonly buffers: readonly Tensor[] } | null)[];
}

/** The slots of a saved state, copied; throws `E_STATE_DICT` unless they fit the parameters. */
export function readSlots(
  name: string,
  parameters: readonly Tensor[],
  buffers: number,
  state: OptimizerState,
): (Slot | undefined)[] {
  const refuse = (what: string): never => fail("E_STATE_DICT", `${name}: nothing was loaded; ${what}`);
  if (typeof state !== "object" || state === null || !Array.isArray(state.slots))
    refuse(`expected { name, lr, slots } as stateDict() gives it, got ${formatGiven(state)}`);
  if (state.name !== name) refuse(`expected the state of ${name}, got that of ${formatGiven(state.name)}`);
  if (state.slots.length !== parameters.length) {
    refuse(`expected ${parameters.length} slots, one for each parameter, got ${state.slots.length}`);
  }
  return state.slots.map((slot, at) => {
    if (!slot) return undefined;
    if (!Number.isSafeInteger(slot.steps) || slot.steps < 0)
      refuse(`slot ${at}: expected a whole number of steps, got ${String(slot.steps)}`);
    const { shape, dtype } = parameters[at]!;
    const fits = slot.buffers.every((buffer) => sameShape(buffer.shape, shape) && buffer.dtype === dtype);
    if (slot.buffers.length !== buffers || !fits) {
      const got = slot.buffers.map((buffer) => `${buffer.dtype} ${formatShape(buffer.shape)}`).join(", ");
      refuse(`slot ${at}: expected ${buffers} times ${dtype} ${formatShape(shape)}, got ${got || "none"}`);
    }
    return { steps: slot.steps, buffers: slot.buffers.map((buffer) => buffer.values() as Floats) };
  });
}
