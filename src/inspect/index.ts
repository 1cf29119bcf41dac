export type {
  BackwardEvent,
  Birth,
  CodeLine,
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
export { inspect, type Inspected, type InspectOptions } from "./record/inspect.js";
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
