import type { Generator } from "../../random/index.js";
import type { AttentionChange, IdeaOptions } from "../idea.js";
import { residualPivotedAttention } from "./attention.js";
import { completeCausalSettings } from "./causal/schedule.js";
import { completeSettings, type PivotLaw } from "./settings.js";

/**
 * The attention of the idea in a model, by its options, with another law of pivots where one is given. Causal where the
 * options or the model say so; each causal layer then draws from a stream of its own, so that a token at a time draws what all
 * at once do.
 */
export function pivotedChange(options: IdeaOptions, rng: Generator, law?: PivotLaw): AttentionChange {
  const settings = { ...completeSettings(options), ...(law && { pivots: law }) };
  const causally = completeCausalSettings(options);
  const layers = new Map<number, Generator>();
  const streamOf = (layer: number): Generator => {
    const stream = layers.get(layer) ?? causalStream(rng, layer);
    layers.set(layer, stream);
    return stream;
  };
  return (q, k, v, { layer, causal = false }) => {
    if (!causally.causal && !causal) return residualPivotedAttention(q, k, v, { ...settings, rng }).output;
    const own = { ...settings, ...causally, causal: true, rng: streamOf(layer) };
    return residualPivotedAttention(q, k, v, own).output;
  };
}

/** The stream that the causal form of one layer draws its pivots from. */
export function causalStream(rng: Generator, layer: number): Generator {
  return rng.stream(`layer ${layer}`);
}
