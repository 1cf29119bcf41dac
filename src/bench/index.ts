export type * from "./record.js";
export { builtInIdeas as ideas } from "../ideas/index.js";
export {
  tracks,
  type FloorValue,
  type Forecast,
  type FurtherMetric,
  type FurtherMetrics,
  type MetricName,
  type SeriesInput,
  type Split,
  type SplitSizes,
  type TextInput,
  type TokenInput,
  type Track,
  type TrackData,
  type TrackInput,
  type TrackLoss,
  type TrackNumbers,
} from "./tracks/index.js";
export {
  models,
  type BenchModel,
  type ChangePlace,
  type ModelDefinition,
  type ModelShape,
} from "./models/index.js";
export { defaultPreset, presets, type Preset, type TrackProtocol } from "./presets.js";
export {
  describeCell,
  type Arm,
  type CellSpec,
  type EvaluatedPart,
  type IdeaReference,
  type MeasureSpec,
  type StudyFigures,
  type StudyPoint,
  type StudySpec,
  type StudyValue,
  type TrainSpec,
} from "./cells/spec.js";
export { packageFingerprint, sourceFingerprint } from "./cells/fingerprint.js";
export type { CellOutcome, StoredTensor, StoredWeights, TrainResult } from "./cells/result.js";
export { runTrainingCell } from "./cells/train-cell.js";
export {
  collectGarbage,
  decodeRun,
  encodeRun,
  makeFolders,
  peekStore,
  memoryStore,
  openStore,
  registeredRuns,
  registerRun,
  removeStaleTemporaries,
  runFileName,
  runId,
  temporaryBeside,
  type CellStore,
  type Garbage,
  type KeyedCell,
  type LeftFile,
  type RegisteredRun,
  type StoredRun,
  type StoreNotice,
  type StoreSettings,
} from "./store/index.js";
export { inspectFile, type InspectOptions } from "./plugins/inspect-file.js";
export { loadPlugins } from "./plugins/load-plugins.js";
export type { PluginFile } from "./plugins/plugin-file.js";
export { wordFor, type LoadedFile, type Plugins } from "./plugins/registry.js";
export { defineIdea, type IdeaDefinition } from "../ideas/index.js";
export { defineModel } from "./models/define-model.js";
export { defineTrack } from "./tracks/define-track.js";
export { standardFloors } from "./tracks/floors/standard-floors.js";
export { makeSeries, type DrawSeries, type SeriesRecipe } from "./tracks/series-split.js";
export type { CellLimits, Executor } from "./executors/index.js";
export * from "./planning/index.js";
export type { EvidencePath, Look, SequentialPlan } from "./sequential/index.js";
export * from "./run/index.js";
export * from "./report/index.js";
export * from "./verdict/index.js";
export * from "./calibrate/index.js";
export * from "./study/index.js";
