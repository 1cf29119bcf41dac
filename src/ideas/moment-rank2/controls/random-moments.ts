import type { Control } from "../../idea.js";
import { layerOver, momentsOf } from "../grid-layer.js";
import { randomMoments } from "../moment-basis.js";
import { completeSettings } from "../settings.js";
import { checkStates } from "../state-grid.js";

/** The idea with as many random orthonormal functionals in place of the moments, drawn once for each model. */
export const randomMomentsControl: Control = {
  name: "random-moments",
  title: "truncation that keeps random functionals",
  statement: "P is the projection on as many random orthonormal matrices; everything else as the idea has it",
  why: "that mass, momenta and energy are kept does not matter: any other numbers would do",
  change(options, rng) {
    const settings = completeSettings(options);
    const { rows, columns, count } = momentsOf(settings);
    const layer = layerOver(settings, randomMoments(rng, { rows, columns, count }));
    return {
      hidden: (hidden) => {
        checkStates(hidden);
        return layer.forwardFlat(hidden);
      },
    };
  },
};
