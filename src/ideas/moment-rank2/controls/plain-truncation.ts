import type { Tensor } from "../../../autograd/index.js";
import type { Control } from "../../idea.js";
import { completeSettings, type Settings } from "../settings.js";
import { asMatrices } from "../state-grid.js";
import { truncateRank } from "../truncate-rank.js";

/** T_r(H), the best approximation of rank r, with the gradient of the idea's settings: `[batch, 64]` → the same. */
export function truncateStates(
  hidden: Tensor,
  rank: number,
  { gradient, bound }: Pick<Settings, "gradient" | "bound">,
): Tensor {
  return truncateRank(asMatrices(hidden), { rank, gradient, bound }).reshape(hidden.shape);
}

/** T_r without moments. At r = 2 the idea without its key step; at r = 4 the rank that the idea's states really have. */
export function plainTruncation(rank: number, why: string): Control {
  return {
    name: `plain-t${rank}`,
    title: `plain truncation to rank ${rank}`,
    statement: `C(H) = T_${rank}(H), no moments kept (Eckart and Young, 1936)`,
    why,
    change(options) {
      const settings = completeSettings(options);
      return { hidden: (hidden) => truncateStates(hidden, rank, settings) };
    },
  };
}
