import { slice, type Tensor } from "../../autograd/index.js";
import { checkedOptions, fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import { checkLastAxis } from "../check-input.js";
import { checkSize, checkWithin, type InitOptions } from "../check-options.js";
import { normalParameter } from "../initial-values.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";

/** Adds a learned vector to each position: x + weight[0…n). Parameter: `weight` `[length, features]`, from N(0, std²). */
export class PositionEmbedding extends Module {
  readonly weight: Parameter;

  /** `std` is 0.02 unless given. */
  constructor(
    readonly length: number,
    readonly features: number,
    options: InitOptions & { readonly std?: number },
  ) {
    super();
    checkedOptions("PositionEmbedding", options);
    checkSize("PositionEmbedding", "length", length);
    checkSize("PositionEmbedding", "features", features);
    const { std = 0.02 } = options;
    checkWithin("PositionEmbedding", "std", std, 0, Infinity);
    this.weight = normalParameter("PositionEmbedding", [length, features], std, options);
  }

  /** `[…, n, features]` of the positions from `from` on → the same shape, from + n ≤ length. Throws `E_SHAPE`. */
  forward(x: Tensor, from = 0): Tensor {
    checkLastAxis("PositionEmbedding", x, this.features);
    const n = x.shape[x.rank - 2];
    if (n === undefined || !Number.isInteger(from) || from < 0 || from + n > this.length) {
      fail(
        "E_SHAPE",
        `PositionEmbedding: expected […, n, ${this.features}] with from + n of at most ${this.length}, got ` +
          `${formatShape(x.shape)} from ${from}`,
      );
    }
    return x.add(n === this.length ? this.weight : slice(this.weight, [[from, from + n]]));
  }
}
