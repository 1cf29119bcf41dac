import { tensor, type Tensor } from "../../autograd/index.js";
import { Module } from "../../nn/index.js";
import type { MomentBasis } from "./moment-basis.js";
import { MomentProjector } from "./moment-projector.js";
import type { TruncationSettings } from "./settings.js";

/**
 * A truncation T of any kind that keeps the moments of what it truncates, P C(H) = P H:
 *
 *   form B:  C(H) = P(H) + (I−P) T((I−P) H)       form A:  C(H) = T(H) + P(H − T(H))
 *
 * Both are X + P(H − X), with X = T((I−P) H) or X = T(H), and are computed so, followed by a last correction
 * C ← C + P(H − C), which leaves in the moments only the rounding of the result. With a weight, T acts on S∘H, and its
 * result is scaled back. A layer without parameters.
 */
export abstract class MomentPreservingLayer extends Module {
  readonly projector: MomentProjector;
  protected readonly scale: Tensor | undefined;

  constructor(
    basis: MomentBasis,
    readonly settings: TruncationSettings,
  ) {
    super();
    const { rows, columns, scale } = basis;
    this.projector = new MomentProjector(basis);
    this.scale = scale && tensor(scale, { shape: [rows, columns] });
  }

  /** T(X) of matrices on the grid, `[…, rows, columns]` → the same, without moments and weight. */
  protected abstract truncateEntries(x: Tensor): Tensor;

  /** C(H), `[…, rows, columns]` → the same. Throws `E_SHAPE`, `E_DTYPE`. */
  forward(h: Tensor): Tensor {
    this.projector.check(h);
    return this.composed(h);
  }

  /** C of matrices that stand row by row, `[…, rows·columns]` → the same. Throws `E_SHAPE`, `E_DTYPE`. */
  forwardFlat(h: Tensor): Tensor {
    const { rows, columns } = this.projector.basis;
    return this.forward(h.reshape([...h.shape.slice(0, -1), rows, columns])).reshape(h.shape);
  }

  /** C(H) step by step, in operations that can be looked at one by one. */
  composed(h: Tensor): Tensor {
    return this.restore(this.truncate(this.remainder(h)), h);
  }

  /** What the truncation is given: (I−P) H in form B, H in form A. */
  remainder(h: Tensor): Tensor {
    return this.settings.form === "B" ? this.projector.remove(h) : h;
  }

  /** T of matrices, scaled by the weight where there is one. */
  truncate(x: Tensor): Tensor {
    if (!this.scale) return this.truncateEntries(x);
    const scale = this.scale.cast(x.dtype);
    return this.truncateEntries(x.mul(scale)).div(scale);
  }

  /** X with the moments of H: X + P(H − X), corrected once more for the rounding of the first time. */
  restore(x: Tensor, h: Tensor): Tensor {
    return this.projector.restore(this.projector.restore(x, h), h);
  }
}
