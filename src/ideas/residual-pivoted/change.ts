import type { Generator } from "../../random/index.js";
import type { AttentionChange, IdeaOptions, ModelChange } from "../idea.js";
import { residualPivotedAttention } from "./attention.js";
import { PivotedAttentionDecoder } from "./causal/decoder.js";
import { completeCausalSettings } from "./causal/schedule.js";
import { completeSampler, completeSettings, type PivotLaw, type Settings } from "./settings.js";

/**
 * The attention of the idea in a model, by its options, with another law of pivots where one is given. Causal where the
 * options or the model say so; each causal layer then draws from a stream of its own, so that a token at a time draws what all
 * at once do.
 */
export function pivotedChange(options: IdeaOptions, rng: Generator, law?: PivotLaw): AttentionChange {
  const settings = settingsOf(options, law);
  const causally = completeCausalSettings(options);
  const { sampler } = completeSampler(options);
  const layers = new Map<number, Generator>();
  const streamOf = (layer: number): Generator => {
    const stream = layers.get(layer) ?? causalStream(rng, layer);
    layers.set(layer, stream);
    return stream;
  };
  return (q, k, v, { layer, causal = false }) => {
    if (!causally.causal && !causal) {
      return residualPivotedAttention(q, k, v, { ...settings, sampler, rng }).output;
    }
    const own = { ...settings, ...causally, causal: true, rng: streamOf(layer) };
    return residualPivotedAttention(q, k, v, own).output;
  };
}

/** What goes a token at a time as {@link pivotedChange} goes through all in its first call with a stream of the same name. */
export function pivotedDecoderChange(
  options: IdeaOptions,
  rng: Generator,
  law?: PivotLaw,
): NonNullable<ModelChange["attentionDecoder"]> {
  const settings = { ...settingsOf(options, law), ...completeCausalSettings(options) };
  return ({ layer }) => new PivotedAttentionDecoder({ ...settings, rng: causalStream(rng, layer) });
}

function settingsOf(options: IdeaOptions, law: PivotLaw | undefined): Settings {
  return { ...completeSettings(options), ...(law && { pivots: law }) };
}

/** The stream that the causal form of one layer draws its pivots from. */
export function causalStream(rng: Generator, layer: number): Generator {
  return rng.stream(`layer ${layer}`);
}
