import { checkTensor } from "../check-input.js";
import { checkedOptions } from "../../errors/index.js";
import { randomUniform, where, type Tensor } from "../../autograd/index.js";
import type { Generator } from "../../random/index.js";
import { checkedRng, checkWithin } from "../check-options.js";
import { Module } from "../module.js";

/** Options of {@link Dropout}, and of layers that contain one. */
export interface DropoutOptions {
  /** The probability with which an entry is dropped, from 0 to 1. */
  readonly p: number;
  /** The stream that decides; it moves on with every forward pass in training. */
  readonly rng: Generator;
}

/**
 * In training each entry becomes 0 with probability p, else x/(1 − p), so that the mean stays; in evaluation x as it is.
 *
 * Source: Srivastava et al., "Dropout", JMLR 15 (2014).
 */
export class Dropout extends Module {
  readonly p: number;
  readonly #rng: Generator;

  constructor(options: DropoutOptions) {
    super();
    checkedOptions("Dropout", options);
    checkWithin("Dropout", "p", options.p, 0, 1);
    this.p = options.p;
    this.#rng = checkedRng("Dropout", options);
  }

  /** Any shape → the same shape. */
  forward(x: Tensor): Tensor {
    checkTensor("Dropout", "the input", x);
    if (!this.training || this.p === 0) return x;
    const kept = randomUniform(this.#rng, x.shape, { dtype: "float64" }).greaterEqual(this.p);
    return where(kept, x.mul(this.p === 1 ? 0 : 1 / (1 - this.p)), 0);
  }
}
