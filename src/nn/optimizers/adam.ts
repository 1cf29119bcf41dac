import type { Tensor } from "../../autograd/index.js";
import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import { kernels, type Floats } from "../../tensor/index.js";
import { integerPower } from "../../tensor/math/index.js";
import { checkWithin } from "../check-options.js";
import { Optimizer, type Slot } from "./optimizer.js";

/** Options of {@link Adam} and {@link AdamW}. */
export interface AdamOptions {
  /** Learning rate. Default 0.001. */
  readonly lr?: number;
  /** Decay of the running mean and of the running mean square of the gradient, each in [0, 1). Default 0.9 and 0.999. */
  readonly betas?: readonly [number, number];
  /** Added to the root of the corrected mean square. Default 1e-8. */
  readonly eps?: number;
  /** Default 0 for Adam (then an L2 penalty on the gradient), 0.01 for AdamW (a decay of the parameter). */
  readonly weightDecay?: number;
}

/** What Adam and AdamW share: p ← p·(1 − lr·decay) − lr·m̂/(√v̂ + eps). */
abstract class AdamFamily extends Optimizer {
  readonly betas: readonly [number, number];
  readonly eps: number;
  readonly weightDecay: number;

  constructor(
    name: string,
    parameters: Iterable<Tensor>,
    options: AdamOptions,
    defaultDecay: number,
    private readonly decoupled: boolean,
  ) {
    super(name, parameters, checkedOptions(name, options).lr ?? 1e-3, 2);
    this.betas = options.betas ?? [0.9, 0.999];
    this.eps = options.eps ?? 1e-8;
    this.weightDecay = options.weightDecay ?? defaultDecay;
    if (
      !Array.isArray(this.betas) ||
      this.betas.length !== 2 ||
      !this.betas.every((beta) => typeof beta === "number" && beta >= 0 && beta < 1)
    ) {
      fail(
        "E_VALUE",
        `${name}: expected betas to be two numbers from 0 to below 1, got ${formatGiven(this.betas)}`,
      );
    }
    checkWithin(name, "eps", this.eps, 0, Infinity);
    checkWithin(name, "weightDecay", this.weightDecay, 0, Infinity);
  }

  protected override update(parameter: Floats, gradient: Floats, slot: Slot): void {
    const [beta1, beta2] = this.betas;
    const { decoupled, eps, lr, weightDecay } = this;
    const step = {
      beta1,
      beta2,
      eps,
      size: lr / (1 - integerPower(beta1, slot.steps)),
      rootScale: 1 / Math.sqrt(1 - integerPower(beta2, slot.steps)),
      decay: decoupled ? 1 - lr * weightDecay : 1,
      penalty: decoupled ? 0 : weightDecay,
    };
    kernels().adam(step, parameter, gradient, slot.buffers[0]!, slot.buffers[1]!);
  }
}

/**
 * m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², p ← p − lr·m̂/(√v̂ + eps) with m̂ = m/(1 − β₁ᵗ), v̂ = v/(1 − β₂ᵗ); weightDecay·p is added
 * to g first.
 *
 * Source: Kingma and Ba, "Adam", arXiv 1412.6980, algorithm 1.
 */
export class Adam extends AdamFamily {
  constructor(parameters: Iterable<Tensor>, options: AdamOptions = {}) {
    super("Adam", parameters, options, 0, false);
  }
}

/**
 * Adam with p ← p·(1 − lr·weightDecay) before each update instead of a penalty in the gradient.
 *
 * Source: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", arXiv 1711.05101.
 */
export class AdamW extends AdamFamily {
  constructor(parameters: Iterable<Tensor>, options: AdamOptions = {}) {
    super("AdamW", parameters, options, 0.01, true);
  }
}
