import type { Idea } from "../idea.js";
import { momentRank2Controls } from "./controls/index.js";
import { momentRank2Checks } from "./evidence/checks.js";
import { measureMomentRank2 } from "./evidence/measure.js";
import { measurePowerMoments } from "./evidence/power-measure.js";
import { powerChecks } from "./evidence/power-checks.js";
import { summarizeMomentRank2 } from "./evidence/summary.js";
import { completeSettings, defaultSettings } from "./settings.js";
import { stateCompression } from "./state-compression.js";

/**
 * Moment-preserving rank-2 compression of a recurrent model's hidden state. Options: those of {@link Settings}.
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
    return { hidden: stateCompression(completeSettings(options)) };
  },

  checks(options, rng) {
    const settings = completeSettings(options);
    return settings.moments === "power" ? powerChecks(settings, rng) : momentRank2Checks(settings, rng);
  },

  measure(trained, options) {
    const settings = completeSettings(options);
    return settings.moments === "power"
      ? measurePowerMoments(trained, settings)
      : measureMomentRank2(trained, settings);
  },

  summarize: summarizeMomentRank2,
};
