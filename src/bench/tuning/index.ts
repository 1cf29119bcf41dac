export { decidingArms, extensionOf } from "./extension.js";
export { sweepHistory, type SweepHistory } from "./replay.js";
export { nextRate } from "./rate-ladder.js";
export { sweepConfigs, widenedConfigs, type SweepConfigs, type SweepGrid } from "./sweep-grid.js";
