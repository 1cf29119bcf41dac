import { gather, type Tensor } from "../../autograd/index.js";
import { checkSize, type InitOptions } from "../check-options.js";
import { normalParameter } from "../initial-values.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";

/** One row of a table for each index. Parameter: `weight` `[count, features]`, from N(0, 1). */
export class Embedding extends Module {
  readonly weight: Parameter;

  constructor(
    readonly count: number,
    readonly features: number,
    options: InitOptions,
  ) {
    super();
    checkSize("Embedding", "count", count);
    checkSize("Embedding", "features", features);
    this.weight = normalParameter("Embedding", [count, features], 1, options);
  }

  /** int32 indices of any shape `[…]` → `[…, features]`. Throws `E_DTYPE`, `E_INDEX`. */
  forward(indices: Tensor): Tensor {
    return gather(this.weight, indices, 0);
  }
}
