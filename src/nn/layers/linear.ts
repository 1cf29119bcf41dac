import type { Tensor } from "../../autograd/index.js";
import { checkLastAxis } from "../check-input.js";
import { checkSize, type InitOptions } from "../check-options.js";
import { uniformParameter } from "../initial-values.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";
import { affine } from "./affine.js";

/** Options of {@link Linear}. */
export interface LinearOptions extends InitOptions {
  /** Add a bias. Default true. */
  readonly bias?: boolean;
}

/** y = x·Wᵀ + b. Parameters: `weight` `[outputs, inputs]` and `bias` `[outputs]`, both from U(±1/√inputs). */
export class Linear extends Module {
  readonly weight: Parameter;
  readonly bias: Parameter | undefined;

  constructor(
    readonly inputs: number,
    readonly outputs: number,
    options: LinearOptions,
  ) {
    super();
    checkSize("Linear", "inputs", inputs);
    checkSize("Linear", "outputs", outputs);
    const bound = 1 / Math.sqrt(inputs);
    this.weight = uniformParameter("Linear", [outputs, inputs], bound, options);
    this.bias = (options.bias ?? true) ? uniformParameter("Linear", [outputs], bound, options) : undefined;
  }

  /** `[…, inputs]` → `[…, outputs]`. Throws `E_SHAPE`. */
  forward(x: Tensor): Tensor {
    checkLastAxis("Linear", x, this.inputs);
    return affine(x, this.weight, this.bias);
  }
}
