import type { CellSpec, TrainSpec } from "../cells/spec.js";
import type { Idea, IdeaOptions } from "../../ideas/index.js";
import type { ModelDefinition } from "../models/index.js";
import type { Preset } from "../presets.js";
import type { Protocol } from "../record.js";
import type { Track } from "../tracks/index.js";
import type { Sizes } from "./sizes.js";

/** What is asked for; everything but the idea has a default. */
export interface PlanRequest {
  /** A built-in idea by name, or an idea of one's own. */
  readonly idea: string | Idea;
  /** A preset by name; `seed` when absent. */
  readonly preset?: string;
  /** A number of seeds, counted from 0, or the seeds themselves. */
  readonly seeds?: number | readonly number[];
  /** A track by name; the idea's own when absent. */
  readonly track?: string;
  /** A model by name; the idea's own when absent. */
  readonly model?: string;
  /** Sizes instead of the preset's. */
  readonly sizes?: Partial<Sizes>;
  /** Options of the idea; strings are read as the type of the option's default. */
  readonly options?: IdeaOptions;
}

/** A training cell of a plan with its key in the store. */
export interface PlannedCell<Spec extends CellSpec = TrainSpec> {
  readonly key: string;
  readonly spec: Spec;
}

/** Everything that a run will do. */
export interface Plan {
  readonly idea: Idea;
  readonly options: IdeaOptions;
  /** True for an idea that workers can find by name; another one runs in this thread and is not stored. */
  readonly registered: boolean;
  readonly track: Track;
  readonly model: ModelDefinition;
  readonly preset: Preset;
  readonly protocol: Protocol;
  /** The sweep of both arms, in the order of the report. */
  readonly cells: readonly PlannedCell[];
}
