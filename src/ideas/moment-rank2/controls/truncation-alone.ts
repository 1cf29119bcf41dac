import type { Control } from "../../idea.js";
import { treeOf } from "../grid-layer.js";
import { completeSettings } from "../settings.js";
import { checkStates } from "../state-grid.js";
import { truncateHierarchically } from "../truncate-hierarchically.js";

/** T of the idea's own grid and ranks, without moments: the idea without its key step. */
export const truncationAlone: Control = {
  name: "truncation-alone",
  title: "the truncation of the settings, no moments kept",
  statement: "C(H) = T(H), T_r on a matrix and the hierarchical SVD on a tensor, at the idea's ranks",
  why: "keeping the moments adds nothing to the truncation, whatever grid and ranks the idea has",
  byName: true,
  change(options) {
    const settings = completeSettings(options);
    const tree = treeOf(settings);
    const { gradient, bound } = settings;
    return {
      hidden: (hidden) => {
        checkStates(hidden);
        return truncateHierarchically(hidden, tree, { gradient, bound });
      },
    };
  },
};
