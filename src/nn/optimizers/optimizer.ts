import { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { allocate, NDArray, type FloatDType, type Floats } from "../../tensor/index.js";
import { checkWithin } from "../check-options.js";
import { readSlots, type OptimizerState } from "./optimizer-state.js";

/** What an optimizer remembers of one parameter: how often it was updated, and running figures of its size. */
export interface Slot {
  steps: number;
  readonly buffers: readonly Floats[];
}

/**
 * Updates parameters from their gradients. A step gives each parameter a new array and advances its version, so that what
 * was recorded before refuses a backward pass and a state dict taken before keeps its values. A parameter without a
 * gradient is left as it is.
 */
export abstract class Optimizer {
  /** The learning rate of the next step; a schedule assigns to it. */
  lr: number;
  readonly #parameters: readonly Tensor[];
  readonly #slots: (Slot | undefined)[];

  constructor(
    /** What a saved state is recognised by. */
    readonly name: string,
    parameters: Iterable<Tensor>,
    lr: number,
    /** How many running figures a parameter has. */
    private readonly buffers: number,
  ) {
    this.#parameters = [...parameters];
    this.#slots = new Array<Slot | undefined>(this.#parameters.length).fill(undefined);
    if (this.#parameters.length === 0) fail("E_VALUE", `${name}: expected at least one parameter, got none`);
    if (new Set(this.#parameters).size < this.#parameters.length) {
      fail("E_VALUE", `${name}: a parameter is listed twice and would be updated twice`);
    }
    if (!this.#parameters.every((parameter) => parameter.isLeaf && parameter.requiresGrad)) {
      fail("E_VALUE", `${name}: expected leaves with requiresGrad, such as module.parameters()`);
    }
    checkWithin(name, "lr", lr, 0, Infinity);
    this.lr = lr;
  }

  /** Writes one step into `parameter` and the buffers of the slot, whose `steps` already counts this one. */
  protected abstract update(parameter: Floats, gradient: Floats, slot: Slot): void;

  /** One update of every parameter that has a gradient. */
  step(): void {
    checkWithin(this.name, "lr", this.lr, 0, Infinity);
    this.#parameters.forEach((parameter, at) => {
      const { grad } = parameter;
      if (!grad) return;
      const slot = (this.#slots[at] ??= this.#emptySlot(parameter));
      if (grad.dtype !== parameter.dtype || slot.buffers.some((buffer) => !sameType(buffer, parameter))) {
        fail(
          "E_DTYPE",
          `${this.name}: parameter ${at} is now ${parameter.dtype}; make the optimizer after module.to()`,
        );
      }
      const data = parameter.array.data.slice() as Floats;
      slot.steps++;
      this.update(data, grad.array.data as Floats, slot);
      parameter.assign(new Tensor(new NDArray(parameter.shape, parameter.dtype, data)));
    });
  }

  /** Forgets the gradient of every parameter. */
  zeroGrad(): void {
    for (const parameter of this.#parameters) parameter.grad = undefined;
  }

  /** All that a later step depends on beside the parameters; a copy. */
  stateDict(): OptimizerState {
    const slots = this.#slots.map((slot, at) => {
      if (!slot) return null;
      const { shape, dtype } = this.#parameters[at]!;
      const buffers = slot.buffers.map((buffer) => new Tensor(new NDArray(shape, dtype, buffer.slice())));
      return { steps: slot.steps, buffers };
    });
    return { name: this.name, lr: this.lr, slots };
  }

  /** Continues from a saved state. Throws `E_STATE_DICT` when it is of another optimizer or of other parameters; nothing is loaded then. */
  loadStateDict(state: OptimizerState): this {
    const slots = readSlots(this.name, this.#parameters, this.buffers, state);
    slots.forEach((slot, at) => (this.#slots[at] = slot));
    this.lr = state.lr;
    return this;
  }

  #emptySlot(parameter: Tensor): Slot {
    const buffers = Array.from({ length: this.buffers }, () =>
      allocate(parameter.dtype as FloatDType, parameter.size),
    );
    return { steps: 0, buffers };
  }
}

function sameType(buffer: Floats, parameter: Tensor): boolean {
  return buffer instanceof Float32Array === (parameter.dtype === "float32");
}
