import type { Tensor } from "../../../autograd/index.js";
import type { MomentProjector } from "../moment-projector.js";
import type { Settings } from "../settings.js";
import { truncateRank } from "../truncate-rank.js";

/** What a compression truncates and what the truncation leaves of it, `[batch, rows, columns]` each. */
export interface Cut {
  /** R: (I−P) H in form B, H in form A. */
  readonly remainder: Tensor;
  /** T_r(R). */
  readonly truncated: Tensor;
}

/** The cut that the settings ask for, without asking the layer that is judged by it. */
export function cutOf(settings: Settings, projector: MomentProjector, h: Tensor): Cut {
  const remainder = settings.form === "B" ? projector.remove(h) : h;
  return { remainder, truncated: truncateRank(remainder, { rank: settings.rank }) };
}
