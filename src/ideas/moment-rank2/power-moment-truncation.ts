import type { Tensor } from "../../autograd/index.js";
import { Module } from "../../nn/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import { dimensionTree, type TreeNode } from "./dimension-tree.js";
import type { PowerCounter } from "./power/power-counter.js";
import { restorePowers, type PowerOptions } from "./power/restore-powers.js";
import { completeTruncation, defaultSettings, type TruncationSettings } from "./settings.js";
import { truncateHierarchically } from "./truncate-hierarchically.js";
import type { TruncationCounter } from "./truncation-counter.js";

/** The grid of the truncation, the settings, and counters where they are wanted. */
export interface PowerMomentOptions extends Partial<TruncationSettings> {
  /** The points of each mode that the truncation reads the units over. */
  readonly shape: readonly number[];
  /** The rank at the nodes of several modes; `rank` where it is left out. */
  readonly transferRank?: number;
  /** The means that are kept, of h, h², …, from 1 to 4. Default 2. */
  readonly powers?: number;
  readonly fallback?: PowerOptions["fallback"];
  readonly counter?: TruncationCounter;
  readonly powerCounter?: PowerCounter;
}

/**
 * A truncation that keeps the power means of the units, mean(c^k) = mean(h^k) for k = 1 … powers, whatever order they stand in:
 * c = {@link restorePowers}(X, H) with
 *
 *   form B:  X = T((I−P) H), P H = mean(H)        form A:  X = T(H)
 *
 * and T = {@link truncateHierarchically}, T_r on two modes. With one or two means the rank is up to 1 more than that of X;
 * with three or four c is a polynomial of X, entry by entry, and its rank is not bounded: as many numbers as X has, and the
 * means, describe it.
 *
 * Shapes: `[…, units]` → the same. A layer without parameters.
 */
export class PowerMomentTruncation extends Module {
  readonly settings: TruncationSettings;
  readonly tree: TreeNode;
  readonly powers: PowerOptions;
  readonly #counter: TruncationCounter | undefined;

  /** @throws E_VALUE for a grid, rank or setting outside its range */
  constructor(options: PowerMomentOptions) {
    super();
    const { shape, transferRank, powers = defaultSettings.powers, fallback, counter, powerCounter } = options;
    this.settings = completeTruncation(options);
    this.tree = dimensionTree(shape, {
      leaf: this.settings.rank,
      transfer: transferRank ?? this.settings.rank,
    });
    this.powers = { count: powers, counter: powerCounter, ...(fallback && { fallback }) };
    this.#counter = counter;
  }

  /** C(H). Throws `E_SHAPE`, `E_DTYPE`, and `E_NUMERIC` where no fallback is allowed. */
  forward(h: Tensor): Tensor {
    if (h.shape.at(-1) !== this.tree.size) {
      fail("E_SHAPE", `power moments: expected [..., ${this.tree.size}] units, got ${formatShape(h.shape)}`);
    }
    return restorePowers(this.truncate(h), h, this.powers);
  }

  /** X, the truncated state before its means are restored. */
  truncate(h: Tensor): Tensor {
    const { form, gradient, bound } = this.settings;
    const remainder = form === "B" ? h.sub(h.mean(-1, { keepDims: true })) : h;
    return truncateHierarchically(remainder, this.tree, { gradient, bound, counter: this.#counter });
  }
}
