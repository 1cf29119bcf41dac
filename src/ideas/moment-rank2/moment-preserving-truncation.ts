import { tensor, type Tensor } from "../../autograd/index.js";
import { Module } from "../../nn/index.js";
import type { DType } from "../../tensor/index.js";
import { gridMoments, type GridOptions, type MomentBasis } from "./moment-basis.js";
import { checkFloating, MomentProjector } from "./moment-projector.js";
import { compressMatrices } from "./compress.js";
import type { Compression } from "./kernel/compression.js";
import { completeSettings, type Form, type Settings } from "./settings.js";
import { checkRank } from "./kernel/spectral-factors.js";
import { truncateRank } from "./truncate-rank.js";
import type { TruncationCounter } from "./truncation-counter.js";

/** The grid that a state is read over, the settings, and a counter of clipped gradients where one is wanted. */
export interface MomentPreservingOptions extends Partial<Settings> {
  /** A velocity grid, or a basis of its own, such as that of `randomMoments` for a control. */
  readonly grid: GridOptions | MomentBasis;
  readonly counter?: TruncationCounter;
}

/**
 * Rank-r truncation of a matrix that keeps its moments, P C(H) = P H:
 *
 *   form B:  C(H) = P(H) + (I−P) T_r((I−P) H)       form A:  C(H) = T_r(H) + P(H − T_r(H))
 *
 * Both are X + P(H − X), with X = T_r((I−P) H) or X = T_r(H), and are computed so, followed by a last correction
 * C ← C + P(H − C), which leaves in the moments only the rounding of the result. On a grid the result has a rank of up
 * to r + 2, because moment matrices x·1ᵀ + 1·yᵀ have rank 2 at most; r·(rows + columns) numbers and the moments
 * describe it. With a weight, T_r acts on S∘H, and its result is scaled back.
 *
 * Gradient (without a weight), from that of {@link truncateRank}: form B  G → P G + (I−P) DT[(I−P) G], form A  G → P G + DT[(I−P) G].
 *
 * Forward and backward are one operation each; with a weight they are composed.
 *
 * A layer without parameters. Source: W. Guo and J.-M. Qiu, arXiv 2201.10397 (form B).
 */
export class MomentPreservingTruncation extends Module {
  readonly settings: Settings;
  readonly projector: MomentProjector;
  readonly #counter: TruncationCounter | undefined;
  readonly #scale: Tensor | undefined;
  readonly #compressions = new Map<DType, Compression>();

  /** @throws E_VALUE for a grid, rank or setting outside its range */
  constructor({ grid, counter, ...settings }: MomentPreservingOptions) {
    super();
    const basis = "elements" in grid ? grid : gridMoments(grid);
    const { rows, columns, scale } = basis;
    this.settings = completeSettings(settings);
    checkRank(this.settings.rank, rows, columns);
    this.projector = new MomentProjector(basis);
    this.#counter = counter;
    this.#scale = scale && tensor(scale, { shape: [rows, columns] });
  }

  /** C(H), `[…, rows, columns]` → the same. Throws `E_SHAPE`, `E_DTYPE`. */
  forward(h: Tensor): Tensor {
    this.projector.check(h);
    return this.#scale ? this.composed(h) : this.#fused(h);
  }

  /** C of matrices that stand row by row, `[…, rows·columns]` → the same. Throws `E_SHAPE`, `E_DTYPE`. */
  forwardFlat(h: Tensor): Tensor {
    const { rows, columns } = this.projector.basis;
    if (this.#scale || h.shape.at(-1) !== rows * columns) {
      return this.forward(h.reshape([...h.shape.slice(0, -1), rows, columns])).reshape(h.shape);
    }
    return this.#fused(h);
  }

  /** C(H) step by step, in operations that can be looked at one by one: what the fused operation must be equal to. */
  composed(h: Tensor): Tensor {
    return this.restore(this.truncate(this.remainder(h)), h);
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

  /** What the truncation is given: (I−P) H in form B, H in form A. */
  remainder(h: Tensor): Tensor {
    return this.settings.form === "B" ? this.projector.remove(h) : h;
  }

  /** T_r of a matrix, scaled by the weight where there is one. */
  truncate(x: Tensor): Tensor {
    const options = { ...this.settings, counter: this.#counter };
    if (!this.#scale) return truncateRank(x, options);
    const scale = this.#scale.cast(x.dtype);
    return truncateRank(x.mul(scale), options).div(scale);
  }

  /** X with the moments of H: X + P(H − X), corrected once more for the rounding of the first time. */
  restore(x: Tensor, h: Tensor): Tensor {
    return this.projector.restore(this.projector.restore(x, h), h);
  }
}
