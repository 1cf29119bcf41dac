import type { IdeaOptions, Json } from "../../ideas/index.js";
import type { PluginFile } from "../plugins/plugin-file.js";
import type { Config } from "../record.js";

/** A side of a comparison: the baseline, the idea, or one of the idea's controls. */
export type Arm = "baseline" | "idea" | `control:${string}`;

/** The part of the data that a model is scored on. */
export type EvaluatedPart = "validation" | "test";

/** An idea as a cell names it: by its registered name, with every option. */
export interface IdeaReference {
  readonly name: string;
  readonly options: IdeaOptions;
  /** The name of one of the idea's controls, whose change takes the place of the idea's. */
  readonly control?: string;
  /** The user's file that the idea comes from; absent for a built-in one. */
  readonly file?: PluginFile;
}

/**
 * One training run. Everything that decides its result is in here, so that equal specifications mean equal results:
 * a baseline names no idea, and one baseline serves every idea on the same track and model.
 */
export interface TrainSpec {
  readonly kind: "train";
  /** The name of a built-in track, or the identifier of one from a user's file; so is the model's. */
  readonly track: string;
  readonly model: string;
  readonly arm: Arm;
  readonly cfg: Config;
  readonly seed: number;
  readonly trainSize: number;
  /** Series of the validation part; 0 in a cell that is evaluated on the test part. */
  readonly validationSize: number;
  /** Series of the test part; 0 in a cell that is evaluated on the validation part, which so cannot see them. */
  readonly testSize: number;
  /** The only part that the trained model is scored on. */
  readonly evaluate: EvaluatedPart;
  readonly epochs: number;
  readonly batchSize: number;
  readonly optimizer: "adam";
  /** Null in the baseline arm. */
  readonly idea: IdeaReference | null;
}

/** The mechanism of an idea on the model that a training cell left. */
export interface MeasureSpec {
  readonly kind: "measure";
  readonly trained: TrainSpec;
}

/** The score of a model that a training cell of the idea left, with the change of one of its controls in place of the idea's. */
export interface EvaluateSpec {
  readonly kind: "evaluate";
  readonly trained: TrainSpec;
  readonly control: string;
}

/** A value of an axis of a study. */
export type StudyValue = number | string;

/** The place of a cell in a study's grid: a value for each axis. */
export type StudyPoint = Readonly<Record<string, StudyValue>>;

/** What a cell of a study found, by name. */
export type StudyFigures = Readonly<Record<string, Json>>;

/** A cell of a study. */
export interface StudySpec {
  readonly kind: "study";
  readonly study: string;
  readonly point: StudyPoint;
  /** The training cells whose models it looks at. */
  readonly trained: readonly TrainSpec[];
  /** The machine, its Node and the kernels, of a cell whose figures are times or memory: another machine has others. */
  readonly machine?: Readonly<Record<string, string | number>>;
}

/** What is computed once and stored. */
export type CellSpec = TrainSpec | MeasureSpec | EvaluateSpec | StudySpec;

/** Optimizer steps of a training run. */
export function stepCount(spec: TrainSpec): number {
  return spec.epochs * Math.ceil(spec.trainSize / spec.batchSize);
}

/** A cell in words: `idea lr=0.003 seed=5`. */
export function describeCell(spec: CellSpec): string {
  if (spec.kind === "measure") return `mechanism of ${describeCell(spec.trained)}`;
  if (spec.kind === "study") {
    const point = Object.entries(spec.point).map(([axis, value]) => `${axis}=${value}`);
    return [spec.study, ...point].join(" ");
  }
  if (spec.kind === "evaluate") return `control ${spec.control} on ${describeCell(spec.trained)}`;
  const cfg = Object.entries(spec.cfg).map(([name, value]) => `${name}=${value}`);
  return [spec.arm, ...cfg, `seed=${spec.seed}`].join(" ");
}
