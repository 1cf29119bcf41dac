import type { Control } from "../../idea.js";
import { randomMoments } from "../moment-basis.js";
import { MomentPreservingTruncation } from "../moment-preserving-truncation.js";
import { completeSettings } from "../settings.js";
import { checkStates, stateGrid } from "../state-grid.js";

/** The idea with four random orthonormal functionals in place of the moments, drawn once for each model. */
export const randomMomentsControl: Control = {
  name: "random-moments",
  title: "truncation that keeps four random functionals",
  statement: "P is the projection on four random orthonormal matrices; everything else as the idea has it",
  why: "that mass, momenta and energy are kept does not matter: any four numbers would do",
  change(options, rng) {
    const layer = new MomentPreservingTruncation({
      ...completeSettings(options),
      grid: randomMoments(rng, stateGrid),
    });
    return {
      hidden: (hidden) => {
        checkStates(hidden);
        return layer.forwardFlat(hidden);
      },
    };
  },
};
