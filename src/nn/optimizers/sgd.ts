import type { Tensor } from "../../autograd/index.js";
import { checkedOptions, checkNumbers, fail } from "../../errors/index.js";
import type { Floats } from "../../tensor/index.js";
import { checkWithin } from "../check-options.js";
import { Optimizer, type Slot } from "./optimizer.js";

/** Options of {@link SGD}. */
export interface SGDOptions {
  /** Learning rate. */
  readonly lr: number;
  /** Default 0. */
  readonly momentum?: number;
  /** What is taken off the gradient before it joins the momentum, from 0 to 1. Default 0. */
  readonly dampening?: number;
  /** Look ahead by the momentum; needs momentum and no dampening. Default false. */
  readonly nesterov?: boolean;
  /** L2 penalty: weightDecay·p is added to the gradient. Default 0. */
  readonly weightDecay?: number;
}

/**
 * g ← g + weightDecay·p; b ← momentum·b + (1 − dampening)·g, b = g in the first step; p ← p − lr·b, or with Nesterov's momentum
 * p ← p − lr·(g + momentum·b). As PyTorch has it.
 *
 * Source: Sutskever et al., "On the importance of initialization and momentum in deep learning" (2013).
 */
export class SGD extends Optimizer {
  readonly #momentum: number;
  readonly #dampening: number;
  readonly #nesterov: boolean;
  readonly #weightDecay: number;

  constructor(parameters: Iterable<Tensor>, options: SGDOptions) {
    const {
      lr,
      momentum = 0,
      dampening = 0,
      nesterov = false,
      weightDecay = 0,
    } = checkedOptions("SGD", options);
    checkNumbers("SGD", { momentum, dampening, weightDecay });
    super("SGD", parameters, lr, momentum > 0 ? 1 : 0);
    checkWithin("SGD", "momentum", momentum, 0, Infinity);
    checkWithin("SGD", "dampening", dampening, 0, 1);
    checkWithin("SGD", "weightDecay", weightDecay, 0, Infinity);
    if (nesterov && (momentum === 0 || dampening !== 0)) {
      fail(
        "E_VALUE",
        `SGD: nesterov needs momentum above 0 and dampening 0, got ${momentum} and ${dampening}`,
      );
    }
    this.#momentum = momentum;
    this.#dampening = dampening;
    this.#nesterov = nesterov;
    this.#weightDecay = weightDecay;
  }

  protected override update(parameter: Floats, gradient: Floats, { steps, buffers: [velocity] }: Slot): void {
    const keep = 1 - this.#dampening;
    for (let i = 0; i < parameter.length; i++) {
      const g = gradient[i]! + this.#weightDecay * parameter[i]!;
      let move = g;
      if (velocity) {
        velocity[i] = steps === 1 ? g : this.#momentum * velocity[i]! + keep * g;
        move = this.#nesterov ? g + this.#momentum * velocity[i]! : velocity[i]!;
      }
      parameter[i] = parameter[i]! - this.lr * move;
    }
  }
}
