import { scope, Tensor } from "../../autograd/index.js";
import { fail, formatGiven } from "../../errors/index.js";
import { closeArena, NDArray, openArena, reserve, type Floats } from "../../tensor/index.js";
import { checkWithin } from "../check-options.js";
import { FlatSlots, type Run } from "./flat-slots.js";
import { readSlots, type OptimizerState } from "./optimizer-state.js";

/** What an optimizer remembers of a parameter, or of several in one piece: how often they were updated, and running figures. */
export interface Slot {
  steps: number;
  readonly buffers: readonly Floats[];
}

/** The tensors of a list or another iterable; throws `E_VALUE` for anything else. */
export function listed(owner: string, tensors: Iterable<Tensor>): Tensor[] {
  const iterable = typeof tensors === "object" && tensors !== null && Symbol.iterator in tensors;
  const list: unknown[] = iterable ? [...tensors] : [];
  if (!iterable || !list.every((x) => x instanceof Tensor))
    fail(
      "E_VALUE",
      `${owner}: expected a list of tensors such as module.parameters(), got ${formatGiven(tensors)}`,
    );
  return list as Tensor[];
}

/**
 * Updates parameters from their gradients. A step writes the new values over the old ones, in storage that only the
 * parameter sees, and advances its version, so that what was recorded before refuses a backward pass; a detached tensor or a
 * state dict taken before keeps its values. A parameter without a gradient is left as it is.
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
    this.#parameters = listed(name, parameters);
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
   * @throws E_VALUE when the function returns no tensor, a promise of one too; otherwise as `backward` does
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
        const value: unknown = loss();
        if (!(value instanceof Tensor)) return refuseLoss(this.name, value);
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
    for (const at of numbers) this.#slots.adopt(at);
    for (const run of this.#slots.runs(numbers)) {
      run.slot.steps++;
      for (const at of run.members) this.#parameters[at]!.version++;
      this.#updateRun(run);
      this.#slots.note(run);
    }
  }

  /** One update of the parameters of a run, in place. Their gradients are gathered where kernels compute. */
  #updateRun({ dtype, members, values, slot }: Run): void {
    const mark = openArena();
    try {
      const gradients = reserve(dtype, values.length);
      let from = 0;
      for (const at of members) {
        const { data } = this.#parameters[at]!.grad!.array;
        gradients.set(data, from);
        from += data.length;
      }
      this.update(values, gradients, slot);
    } finally {
      closeArena(mark);
    }
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

function refuseLoss(name: string, value: unknown): never {
  const later = typeof value === "object" && value !== null && "then" in value;
  // What the function still does may fail; the error that counts is thrown here.
  if (later) Promise.resolve(value).catch(() => undefined);
  const given = later ? "a promise; f must compute the loss at once" : typeof value;
  return fail("E_VALUE", `${name}: expected step(f) to get the loss from f, a tensor, got ${given}`);
}
