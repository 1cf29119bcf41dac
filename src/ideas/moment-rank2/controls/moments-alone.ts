import type { Tensor } from "../../../autograd/index.js";
import type { Control } from "../../idea.js";
import { momentsOf } from "../grid-layer.js";
import { MomentProjector } from "../moment-projector.js";
import { completeSettings } from "../settings.js";
import { asMatrices } from "../state-grid.js";

/** P(H), the moments of a state and nothing else of it: `[batch, 64]` → the same. */
export function keepMoments(projector: MomentProjector, hidden: Tensor): Tensor {
  return projector.project(asMatrices(hidden, projector.basis)).reshape(hidden.shape);
}

/** The projection on the moments without any truncated remainder. */
export const momentsAlone: Control = {
  name: "moments-alone",
  title: "the moments alone",
  statement: "C(H) = P(H) = Σ_k ⟨E_k, H⟩ E_k",
  why: "the truncated remainder adds nothing to the moments",
  change(options) {
    const projector = new MomentProjector(momentsOf(completeSettings(options)));
    return { hidden: (hidden) => keepMoments(projector, hidden) };
  },
};
