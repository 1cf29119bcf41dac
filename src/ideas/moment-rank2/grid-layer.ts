import { MomentPreservingTruncation } from "./moment-preserving-truncation.js";
import type { Settings } from "./settings.js";
import { stateGrid } from "./state-grid.js";

/** Makes the layer that settings ask for. */
export type LayerOf = (settings: Settings) => MomentPreservingTruncation;

/** The layer over the grid of the hidden states of `rnn_small`: the one that trains, is checked and is measured. */
export function gridLayer(settings: Settings): MomentPreservingTruncation {
  return new MomentPreservingTruncation({ ...settings, grid: stateGrid });
}
