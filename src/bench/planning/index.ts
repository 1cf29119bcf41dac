export { forecastRun, type CostShare, type RunForecast } from "./forecast.js";
export type { ReadableStore, WorkShare } from "./planned-work.js";
export type { SmallestEffect } from "./smallest-effect.js";
