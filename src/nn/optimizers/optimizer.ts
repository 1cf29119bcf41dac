import { scope, Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { allocate, closeArena, NDArray, openArena, reserve, type Floats } from "../../tensor/index.js";
import { checkWithin } from "../check-options.js";
import { FlatSlots, type Run } from "./flat-slots.js";
import { readSlots, type OptimizerState } from "./optimizer-state.js";

/** What an optimizer remembers of a parameter, or of several in one piece: how often they were updated, and running figures. */
export interface Slot {
  steps: number;
  readonly buffers: readonly Floats[];
}

/**
 * Updates parameters from their gradients. A step gives each parameter a new array (part of one that all share) and advances
 * its version, so that what was recorded before refuses a backward pass and a state dict taken before keeps its values. A
 * parameter without a gradient is left as it is.
 */
export abstract class Optimizer {
  /** The learning rate of the next step; a schedule assigns to it. */
  lr: number;
  readonly #parameters: readonly Tensor[];
  readonly #slots: FlatSlots;

  constructor(
    /** What a saved state is recognised by. */
    readonly name: string,
    parameters: Iterable<Tensor>,
    lr: number,
    /** How many running figures an element has. */
    private readonly figures: number,
  ) {
    this.#parameters = [...parameters];
    if (this.#parameters.length === 0) fail("E_VALUE", `${name}: expected at least one parameter, got none`);
    if (new Set(this.#parameters).size < this.#parameters.length) {
      fail("E_VALUE", `${name}: a parameter is listed twice and would be updated twice`);
    }
    if (!this.#parameters.every((parameter) => parameter.isLeaf && parameter.requiresGrad)) {
      fail("E_VALUE", `${name}: expected leaves with requiresGrad, such as module.parameters()`);
    }
    checkWithin(name, "lr", lr, 0, Infinity);
    this.lr = lr;
    this.#slots = new FlatSlots(this.#parameters, figures);
  }

  /** Writes one step into `parameter`, one or several, and the buffers of the slot, whose `steps` already counts this one. */
  protected abstract update(parameter: Floats, gradient: Floats, slot: Slot): void;

  /**
   * One update of every parameter that has a gradient. With a function it is a whole training step, in a scope: gradients are
   * forgotten, the loss is computed and gone back through, the parameters are updated, the gradients forgotten again; it
   * returns the loss, cut off from its graph.
   *
   * @throws E_DTYPE, before any update, for a parameter that changed its type
   * @throws E_VALUE when the function returns no tensor; otherwise as `backward` does
   */
  step(): void;
  step(loss: () => Tensor): Tensor;
  step(loss?: () => Tensor): Tensor | void {
    if (loss === undefined) return this.#update();
    if (typeof loss !== "function")
      fail("E_VALUE", `${this.name}: expected step() or step(f) with a function, got ${typeof loss}`);
    return scope(() => {
      this.zeroGrad();
      try {
        const value = loss();
        if (!(value instanceof Tensor))
          fail(
            "E_VALUE",
            `${this.name}: expected step(f) to get the loss from f, a tensor, got ${typeof value}`,
          );
        value.backward();
        this.#update();
        return value;
      } finally {
        this.zeroGrad();
      }
    });
  }

  #update(): void {
    checkWithin(this.name, "lr", this.lr, 0, Infinity);
    const numbers = [...this.#parameters.keys()].filter((at) => this.#parameters[at]!.grad);
    this.#slots.refresh();
    for (const at of numbers) {
      const { dtype, grad } = this.#parameters[at]!;
      if (grad!.dtype === dtype && this.#slots.dtypeOf(at) === dtype) continue;
      fail("E_DTYPE", `${this.name}: parameter ${at} is now ${dtype}; make the optimizer after module.to()`);
    }
    for (const run of this.#slots.runs(numbers)) {
      run.slot.steps++;
      const updated = this.#updated(run);
      this.#slots.note(run);
      let from = 0;
      for (const at of run.members) {
        const parameter = this.#parameters[at]!;
        const data = updated.subarray(from, from + parameter.size);
        parameter.assign(new Tensor(new NDArray(parameter.shape, run.dtype, data)));
        from += parameter.size;
      }
    }
  }

  /** The new values of the parameters of a run, one after the other. They are gathered where kernels compute. */
  #updated({ dtype, members, size, slot }: Run): Floats {
    const updated = allocate(dtype, size);
    const mark = openArena();
    try {
      const values = reserve(dtype, size);
      const gradients = reserve(dtype, size);
      let from = 0;
      for (const at of members) {
        const { array, grad } = this.#parameters[at]!;
        values.set(array.data, from);
        gradients.set(grad!.array.data, from);
        from += array.size;
      }
      this.update(values, gradients, slot);
      updated.set(values);
    } finally {
      closeArena(mark);
    }
    return updated;
  }

  /** Forgets the gradient of every parameter. */
  zeroGrad(): void {
    for (const parameter of this.#parameters) parameter.grad = undefined;
  }

  /** All that a later step depends on beside the parameters; a copy. */
  stateDict(): OptimizerState {
    const slots = this.#parameters.map(({ shape, dtype }, at) => {
      const slot = this.#slots.slot(at);
      if (!slot) return null;
      const buffers = slot.buffers.map((buffer) => new Tensor(new NDArray(shape, dtype, buffer.slice())));
      return { steps: slot.steps, buffers };
    });
    return { name: this.name, lr: this.lr, slots };
  }

  /** Continues from a saved state. Throws `E_STATE_DICT` when it is of another optimizer or of other parameters; nothing is loaded then. */
  loadStateDict(state: OptimizerState): this {
    this.#slots.load(readSlots(this.name, this.#parameters, this.figures, state));
    this.lr = state.lr;
    return this;
  }
}
