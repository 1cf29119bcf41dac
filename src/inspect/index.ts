export type {
  BackwardEvent,
  Birth,
  CodeLine,
  DeadUnits,
  HiddenRows,
  InspectDocument,
  InspectNode,
  JsonNumber,
  JsonValue,
  ModuleCall,
  OperationText,
  Summary,
} from "./document.js";
export { fromJson } from "./json-number.js";
export type { ArrayForm, Recording, StoredArray, StoredSetting } from "./recording.js";
export { inspect, usualReplayBytes, type Inspected, type InspectOptions } from "./record/inspect.js";
export type { Change } from "./replay/changes.js";
export type { ReplayOptions } from "./replay/recompute.js";
export { replay } from "./replay/replay.js";
export { stepsOf, type GradientState, type Steps } from "./steps.js";
export { findings, type Finding } from "./why/findings.js";
export { whyNaN, type NaNCause } from "./why/why-nan.js";
export { whyZero, type ZeroCause } from "./why/why-zero.js";
export {
  inspectStep,
  trainingStep,
  type TrainingStep,
  type TrainingStepOptions,
} from "./subjects/training-step.js";
export type { Gates, GateSummary } from "./through-time/gates.js";
export { throughTime, type RecurrentLayer, type TimeStep } from "./through-time/through-time.js";
export type { AttentionMap, NotFinite, PerHead, PerPair, Pivot } from "./attention/attention-map.js";
export { attentionMaps, type AttentionMapOptions } from "./attention/attention-maps.js";
export {
  differencesOf,
  type DifferenceStep,
  type Differences,
  type DifferenceVerdict,
} from "./differences/differences-of.js";
export { toDot } from "./export/dot.js";
export { toMermaid } from "./export/mermaid.js";
export { toSvg } from "./export/svg.js";
export { expandedGroups } from "./view/expanded.js";
export { outlineOf, type Group } from "./view/outline.js";
