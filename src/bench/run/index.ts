export { nearest, suggestion } from "./nearest.js";
export { ideaNamed, modelNamed, presetNamed, trackNamed } from "./lookup.js";
export { resolveOptions } from "./idea-options.js";
export { executorOf } from "./executor-of.js";
export { planRun } from "./plan-run.js";
export {
  configsOf,
  finalCells,
  plannedCell,
  sweepCells,
  type Plan,
  type PlannedArm,
  type PlannedCell,
  type PlanRequest,
} from "./plan.js";
export type { Progress, RunEvent, RunningCell, RunPhase } from "./progress.js";
export { fittingModels, floorNames, type FittingModel } from "./fits.js";
export { finalModels, type SavedModel } from "./final-models.js";
export { partialRun, type PartialRun, type TuningProgress } from "./partial-run.js";
export { plainPlan, planDifferences } from "./plain-plan.js";
export { packageVersion } from "./provenance.js";
export { runPlan, type RunSettings } from "./run-plan.js";
export type { Sizes } from "./sizes.js";
