import type { Tensor } from "../../../autograd/index.js";
import type { Control } from "../../idea.js";
import { gridMoments } from "../moment-basis.js";
import { MomentProjector } from "../moment-projector.js";
import { asMatrices, stateGrid } from "../state-grid.js";

/** P(H), the four moments of a state and nothing else of it: `[batch, 64]` → the same. */
export function keepMoments(projector: MomentProjector, hidden: Tensor): Tensor {
  return projector.project(asMatrices(hidden)).reshape(hidden.shape);
}

/** The projection on the moments without any truncated remainder. */
export const momentsAlone: Control = {
  name: "moments-alone",
  title: "the four moments alone",
  statement: "C(H) = P(H) = Σ_k ⟨E_k, H⟩ E_k",
  why: "the truncated remainder adds nothing to the four moments",
  change() {
    const projector = new MomentProjector(gridMoments(stateGrid));
    return { hidden: (hidden) => keepMoments(projector, hidden) };
  },
};
