export {
  residualPivotedAttention,
  type Attention,
  type AttentionOptions,
  type AttentionStatistics,
} from "./attention.js";
export { composedPivotedAttention } from "./composed.js";
export { residualPivoted } from "./idea.js";
export { pivotLaws, type PivotLaw } from "./settings.js";
