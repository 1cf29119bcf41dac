import { tensor, zerosLike, type Tensor } from "../../../autograd/index.js";
import { Linear, Module } from "../../../nn/index.js";
import type { Generator } from "../../../random/index.js";
import type { Control } from "../../idea.js";
import { orthonormalRows } from "../../orthonormal-rows.js";
import { completeSettings } from "../settings.js";
import { checkStates, units } from "../state-grid.js";
import { storedNumbers } from "../stored-numbers.js";

/**
 * h → U(D h + b) + c, `[…, size]` → the same through `inner` numbers. It begins as an orthogonal projection on a random
 * subspace: D has orthonormal rows, U = Dᵀ, b = c = 0, so that no signal is lost to the scale of an initial guess.
 */
export class Bottleneck extends Module {
  readonly down: Linear;
  readonly up: Linear;

  constructor(size: number, inner: number, rng: Generator) {
    super();
    this.down = new Linear(size, inner, { rng });
    this.up = new Linear(inner, size, { rng });
    const rows = rng.normals(inner * size);
    orthonormalRows(rows, inner, size);
    const down = tensor(rows, { shape: [inner, size], dtype: this.down.weight.dtype });
    this.down.weight.assign(down);
    this.up.weight.assign(down.transpose());
    for (const { bias } of [this.down, this.up]) bias?.assign(zerosLike(bias));
  }

  forward(hidden: Tensor): Tensor {
    return this.up.forward(this.down.forward(hidden));
  }
}

/** A learned linear map through as many numbers as the compressed state has, in place of the compression. */
export const bottleneckControl: Control = {
  name: "bottleneck",
  title: "a learned linear bottleneck",
  statement:
    "C(h) = U(D h + b) + c through as many learned coordinates as a compressed state has numbers, 64 → 36 → 64 at rank 2",
  why: "a learned linear compression to as many numbers does as well as the one with moments and singular vectors",
  change(options, rng) {
    const inner = storedNumbers(completeSettings(options));
    const bottleneck = new Bottleneck(units, inner, rng);
    return {
      modules: { bottleneck },
      hidden: (hidden) => {
        checkStates(hidden);
        return bottleneck.forward(hidden);
      },
    };
  },
};
