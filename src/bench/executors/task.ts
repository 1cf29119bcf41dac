import type { Idea, MathCheck, Signature } from "../../ideas/index.js";
import type { EpochEvent } from "../cells/train-cell.js";
import type { CellOutcome, StoredWeights } from "../cells/result.js";
import {
  describeCell,
  type EvaluateSpec,
  type IdeaReference,
  type MeasureSpec,
  type StudySpec,
  type TrainSpec,
} from "../cells/spec.js";
import { nameOfId } from "../plugins/plugin-file.js";
import type { FloorValue, SplitSizes } from "../tracks/index.js";

/** A training cell. */
export interface TrainTask {
  readonly kind: "train";
  readonly spec: TrainSpec;
}

/** The mechanism of an idea on trained parameters. */
export interface MeasureTask {
  readonly kind: "measure";
  readonly spec: MeasureSpec;
  readonly weights: StoredWeights;
}

/** The score of trained parameters with a control in the idea's place. */
export interface EvaluateTask {
  readonly kind: "evaluate";
  readonly spec: EvaluateSpec;
  readonly weights: StoredWeights;
}

/** A cell of a study, with the parameters of the models that it looks at. */
export interface StudyTask {
  readonly kind: "study";
  readonly spec: StudySpec;
  readonly weights: readonly StoredWeights[];
}

/** The floors of a track at one seed. */
export interface FloorsTask {
  readonly kind: "floors";
  readonly track: string;
  readonly seed: number;
  readonly sizes: SplitSizes;
}

/** The identities of an idea on random inputs. */
export interface ChecksTask {
  readonly kind: "checks";
  readonly idea: IdeaReference;
}

/** The signatures of all seeds as one. */
export interface SummarizeTask {
  readonly kind: "summarize";
  readonly idea: IdeaReference;
  readonly checks: readonly MathCheck[];
  readonly signatures: readonly { readonly seed: number; readonly signature: Signature }[];
}

/** A trial of the plug-ins that a cell needs, before anything is trained. */
export interface TrialTask {
  readonly kind: "trial";
  readonly spec: TrainSpec;
}

/** What an executor can be asked to do: plain data, so that it can be sent to another thread or machine. */
export type Task =
  TrainTask | MeasureTask | EvaluateTask | StudyTask | FloorsTask | ChecksTask | SummarizeTask | TrialTask;

/** A task that is done step by step; a trial is not, since it loads files. */
export type CellTask = Exclude<Task, TrialTask>;

interface Results {
  readonly train: CellOutcome<TrainSpec>;
  readonly measure: CellOutcome<MeasureSpec>;
  readonly evaluate: CellOutcome<EvaluateSpec>;
  readonly study: CellOutcome<StudySpec>;
  readonly floors: readonly FloorValue[];
  readonly checks: readonly MathCheck[];
  readonly summarize: ReturnType<Idea["summarize"]>;
  readonly trial: undefined;
}

/** What comes back from a task: plain data too. */
export type TaskResult<T extends Task = Task> = Results[T["kind"]];

/** A task under way: yields after each epoch of a training cell, returns the result. */
export type TaskSteps<T extends Task = Task> = Generator<EpochEvent, TaskResult<T>, void>;

export type { EpochEvent };

/** A task in words, for errors. */
export function describeTask(task: Task): string {
  switch (task.kind) {
    case "train":
    case "measure":
    case "evaluate":
    case "study":
      return `cell ${describeCell(task.spec)}`;
    case "floors":
      return `floors of ${nameOfId(task.track)} at seed ${task.seed}`;
    case "summarize":
      return `summary of ${task.idea.name}`;
    case "trial":
      return `trial of ${task.spec.idea?.name ?? nameOfId(task.spec.track)}`;
    case "checks":
      return `mathematical checks of ${task.idea.name}`;
  }
}
