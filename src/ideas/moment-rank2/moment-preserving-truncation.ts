import type { Tensor } from "../../autograd/index.js";
import type { DType } from "../../tensor/index.js";
import { compressMatrices } from "./compress.js";
import type { Compression } from "./kernel/compression.js";
import { checkRank } from "./kernel/spectral-factors.js";
import { gridMoments, type GridOptions, type MomentBasis } from "./moment-basis.js";
import { MomentPreservingLayer } from "./moment-preserving-layer.js";
import { checkFloating } from "./moment-projector.js";
import { completeTruncation, type Form, type TruncationSettings } from "./settings.js";
import { truncateRank } from "./truncate-rank.js";
import type { TruncationCounter } from "./truncation-counter.js";

/** The grid that a state is read over, the settings, and a counter of clipped gradients where one is wanted. */
export interface MomentPreservingOptions extends Partial<TruncationSettings> {
  /** A velocity grid, or a basis of its own, such as that of `randomMoments` for a control. */
  readonly grid: GridOptions | MomentBasis;
  readonly counter?: TruncationCounter;
}

/**
 * Rank-r truncation of a matrix that keeps its moments, a {@link MomentPreservingLayer} with T = T_r:
 *
 *   form B:  C(H) = P(H) + (I−P) T_r((I−P) H)       form A:  C(H) = T_r(H) + P(H − T_r(H))
 *
 * On a grid the result has a rank of up to r + 2, because moment matrices x·1ᵀ + 1·yᵀ have rank 2 at most;
 * r·(rows + columns) numbers and the moments describe it.
 *
 * Gradient (without a weight), from that of {@link truncateRank}: form B  G → P G + (I−P) DT[(I−P) G], form A  G → P G + DT[(I−P) G].
 *
 * Forward and backward are one operation each; with a weight they are composed.
 *
 * Source: W. Guo and J.-M. Qiu, arXiv 2201.10397 (form B).
 */
export class MomentPreservingTruncation extends MomentPreservingLayer {
  readonly #counter: TruncationCounter | undefined;
  readonly #compressions = new Map<DType, Compression>();

  /** @throws E_VALUE for a grid, rank or setting outside its range */
  constructor({ grid, counter, ...given }: MomentPreservingOptions) {
    const settings = completeTruncation(given);
    super("elements" in grid ? grid : gridMoments(grid), settings);
    const { rows, columns } = this.projector.basis;
    checkRank(settings.rank, rows, columns);
    this.#counter = counter;
  }

  override forward(h: Tensor): Tensor {
    this.projector.check(h);
    return this.scale ? this.composed(h) : this.#fused(h);
  }

  override forwardFlat(h: Tensor): Tensor {
    const { rows, columns } = this.projector.basis;
    return this.scale || h.shape.at(-1) !== rows * columns ? super.forwardFlat(h) : this.#fused(h);
  }

  protected truncateEntries(x: Tensor): Tensor {
    return truncateRank(x, { ...this.settings, counter: this.#counter });
  }

  #fused(h: Tensor): Tensor {
    const { rank, form, gradient, bound } = this.settings;
    const derivative = gradient === "exact" ? bound : gradient;
    return compressMatrices(h, this.#compression(h, rank, form), { derivative, counter: this.#counter });
  }

  #compression(h: Tensor, rank: number, form: Form): Compression {
    let compression = this.#compressions.get(h.dtype);
    if (!compression) {
      checkFloating(h.dtype);
      const { rows, columns, count } = this.projector.basis;
      const elements =
        h.dtype === "float32"
          ? Float32Array.from(this.projector.basis.elements)
          : this.projector.basis.elements;
      compression = { rows, columns, rank, ofRemainder: form === "B", count, elements };
      this.#compressions.set(h.dtype, compression);
    }
    return compression;
  }
}
