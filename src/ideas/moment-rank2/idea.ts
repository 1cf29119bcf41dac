import type { Idea } from "../idea.js";
import { momentRank2Controls } from "./controls/index.js";
import { momentRank2Checks } from "./evidence/checks.js";
import { measureMomentRank2 } from "./evidence/measure.js";
import { summarizeMomentRank2 } from "./evidence/summary.js";
import { gridLayer } from "./grid-layer.js";
import { completeSettings, defaultSettings } from "./settings.js";
import { checkStates } from "./state-grid.js";

/**
 * Moment-preserving rank-2 compression of a recurrent model's hidden state. Options: `rank` r of the truncation; `form`
 * B or A; `gradient` exact, tangent or straight-through; `bound` on the amplification of the exact gradient; `moments`,
 * so far "grid" only.
 */
export const momentRank2: Idea = {
  name: "moment-rank2",
  title: "Moment-preserving rank-2 hidden compression",
  summary:
    "Reads the hidden state after each step as an 8×8 matrix over a velocity grid and truncates it to rank 2, but " +
    "keeps its mass, both momenta and its energy.",
  source:
    "The conservative low-rank truncation for Vlasov dynamics (Guo, Qiu, arXiv 2201.10397), applied to hidden states",
  track: "dynamics",
  model: "rnn_small",
  options: { ...defaultSettings },
  controls: momentRank2Controls,

  change(options) {
    const layer = gridLayer(completeSettings(options));
    return {
      hidden: (hidden) => {
        checkStates(hidden);
        return layer.forwardFlat(hidden);
      },
    };
  },

  checks(options, rng) {
    return momentRank2Checks(completeSettings(options), rng);
  },

  measure(trained, options) {
    return measureMomentRank2(trained, completeSettings(options));
  },

  summarize: summarizeMomentRank2,
};
