import type { HiddenChange } from "../idea.js";
import { gridLayer } from "./grid-layer.js";
import { PowerMomentTruncation } from "./power-moment-truncation.js";
import type { PowerCounter } from "./power/power-counter.js";
import type { Settings } from "./settings.js";
import { checkStates, gridShape } from "./state-grid.js";

/** The power-moment layer of the settings. Where the means of a state cannot all be had it keeps as many as it can. */
export function powerLayer(settings: Settings, powerCounter?: PowerCounter): PowerMomentTruncation {
  const shape = gridShape(settings.grid);
  return new PowerMomentTruncation({
    ...settings,
    shape,
    fallback: "fewer",
    ...(powerCounter && { powerCounter }),
  });
}

/** The compression that the settings ask for, of states `[batch, 64]`. */
export function stateCompression(settings: Settings): HiddenChange {
  const compress = compressionOf(settings);
  return (hidden) => {
    checkStates(hidden);
    return compress(hidden);
  };
}

function compressionOf(settings: Settings): HiddenChange {
  if (settings.moments === "power") {
    const layer = powerLayer(settings);
    return (hidden) => layer.forward(hidden);
  }
  const layer = gridLayer(settings);
  return (hidden) => layer.forwardFlat(hidden);
}
