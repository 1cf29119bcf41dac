import { tensor, type Tensor } from "../../../autograd/index.js";
import { momentsOf } from "../grid-layer.js";
import { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";

/**
 * The coordinates in which a weight is none: states S∘H, in which P is orthogonal and T is the best approximation. H itself
 * where the settings have no weight.
 */
export class Scaled {
  /** P of states S∘H. */
  readonly projector: MomentProjector;
  readonly #scale: Tensor | undefined;

  constructor(settings: Settings) {
    const { scale, ...basis } = momentsOf(settings);
    this.projector = new MomentProjector({ ...basis, scale: undefined });
    this.#scale = scale && tensor(scale, { shape: [basis.rows, basis.columns] });
  }

  /** S∘H, `[…, rows, columns]` → the same. */
  readonly scale = (h: Tensor): Tensor => (this.#scale ? h.mul(this.#scale.cast(h.dtype)) : h);

  /** S⁻¹∘H. */
  readonly restore = (h: Tensor): Tensor => (this.#scale ? h.div(this.#scale.cast(h.dtype)) : h);
}
