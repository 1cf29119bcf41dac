import { attention } from "../../../nn/index.js";
import type { Control } from "../../idea.js";

/** Softmax attention itself: the baseline of the comparison, which is this control. */
export const exactAttentionControl: Control = {
  name: "exact-attention",
  title: "exact softmax attention",
  statement: "out = softmax(Q Kᵀ/√d) V: the baseline is this control",
  why: "the idea is an approximation of this; it is compared with it as the baseline",
  kind: "baseline",
  change: () => ({ attention: (q, k, v, { causal }) => attention(q, k, v, { causal }) }),
};
