export {
  residualPivotedAttention,
  type Attention,
  type AttentionOptions,
  type AttentionStatistics,
} from "./attention.js";
export { composedCausalPivotedAttention, type ComposedCausalOptions } from "./causal/composed-causal.js";
export { PivotedAttentionDecoder, type PivotedDecoderOptions } from "./causal/decoder.js";
export { refreshments, type Refresh } from "./causal/schedule.js";
export { composedPivotedAttention } from "./composed.js";
export { residualPivoted } from "./idea.js";
export { pivotLaws, samplers, type PivotLaw, type Sampler } from "./settings.js";
