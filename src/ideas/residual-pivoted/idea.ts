import type { Idea } from "../idea.js";
import { completeCausalSettings, defaultCausalSettings } from "./causal/schedule.js";
import { pivotedChange, pivotedDecoderChange } from "./change.js";
import { residualPivotedControls } from "./controls/index.js";
import { residualPivotedChecks } from "./evidence/checks.js";
import { measureResidualPivoted } from "./evidence/measure.js";
import { completeSampler, completeSettings, defaultSettings } from "./settings.js";
import { summarizeResidualPivoted } from "./evidence/summary.js";

/**
 * Residual-pivoted kernel attention: self-attention through a randomly pivoted Cholesky factorisation of its
 * exponential kernel. Options: `rank`, the number of pivots; `pivots`, the law that chooses them, `exp` for the idea
 * and `gaussian`, `uniform`, `greedy` for its controls; `sampler` for how pivots are drawn;
 * `ridge` on the pivots' matrix; `causal` for the causal form, which
 * causal models get in any case, with its `chunk` and its `refresh`.
 */
export const residualPivoted: Idea = {
  name: "residual-pivoted",
  title: "Residual-pivoted kernel attention",
  summary:
    "Replaces attention by a rank-r factor of its exponential kernel, with pivots drawn in proportion to what is " +
    "still unexplained: time and memory linear in the number of tokens.",
  source:
    "Randomly pivoted Cholesky (Chen, Epperly, Tropp, Webber, arXiv 2207.06503) applied to the kernel of attention",
  track: "sequence",
  model: "transformer_tiny",
  options: { ...defaultSettings, ...completeSampler({}), ...defaultCausalSettings },
  controls: residualPivotedControls,

  change(options, rng) {
    return { attention: pivotedChange(options, rng), attentionDecoder: pivotedDecoderChange(options, rng) };
  },

  checks(options, rng) {
    return residualPivotedChecks(completeSettings(options), rng);
  },

  measure(trained, options, rng) {
    return measureResidualPivoted(trained, completeSettings(options), rng, completeCausalSettings(options));
  },

  summarize: summarizeResidualPivoted,
};
