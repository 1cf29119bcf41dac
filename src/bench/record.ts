import type { Claim, Control, IdeaOptions, Json, MathCheck, Signature } from "../ideas/index.js";
import type { SequentialPlan } from "./sequential/index.js";
import type { Arm, EvaluatedPart } from "./cells/spec.js";
import type { FurtherMetric } from "./tracks/index.js";

/** A point of the grid: `lr` is the learning rate of Adam, any other name an option of the idea. */
export type Config = Readonly<{ lr: number } & Record<string, number>>;

/** One row of an arm's sweep: the metric of each seed at one configuration. */
export interface SweepRow {
  readonly cfg: Config;
  readonly seeds: readonly number[];
  readonly values: readonly number[];
}

/** An arm of the comparison with its sweep; the final values are those of `best` on the test part. */
export interface ArmRecord {
  readonly sweep: readonly SweepRow[];
  readonly best: Config;
  readonly seeds: readonly number[];
  readonly values: readonly number[];
}

/**
 * One of the idea's controls as an arm. An evaluated one has no sweep of its own: its configuration and its models are
 * the idea's.
 */
export interface ControlRecord extends ArmRecord {
  readonly control: ControlDescription;
}

/** What a control is, in words. */
export type ControlDescription = Required<Pick<Control, "name" | "title" | "statement" | "why" | "kind">>;

/** A floor: a predictor without any network, on the same data. */
export interface FloorRecord {
  readonly name: string;
  readonly seeds: readonly number[];
  readonly values: readonly number[];
}

/** How a run was set up. */
export interface Protocol {
  readonly preset: string;
  readonly epochs: number;
  readonly trainSize: number;
  /** Series that the configurations are chosen on; 0 where they are chosen on the test part. */
  readonly validationSize: number;
  readonly testSize: number;
  readonly batchSize: number;
  readonly optimizer: "adam";
  /** What the best configuration is chosen on. */
  readonly selection: EvaluatedPart;
  /** The learning rates that every arm tries before any extension. */
  readonly rates: readonly number[];
  /** The configurations of the baseline before any extension. */
  readonly grid: readonly Config[];
  /** Values of the idea's own options, each of which its arm tries with every rate. */
  readonly gridOptions: Readonly<Record<string, readonly number[]>>;
  /** How often a best rate at an end of the grid may extend it. */
  readonly mostExtensions: number;
  /** The seeds of the final models; with a sequential plan those that it came to. */
  readonly seeds: readonly number[];
  /** How final seeds are added; without it they never are. */
  readonly sequential?: SequentialPlan;
  /**
   * The seeds whose mean ranks the configurations, for each arm; the reports used unequal ones. Apart from the final
   * seeds where the configurations are chosen on the validation part.
   */
  readonly sweepSeeds: { readonly baseline: readonly number[]; readonly idea: readonly number[] };
  readonly alpha: number;
  /** Of how many planned seeds `seeds` are those that were stored; only in a report that is made before its run has ended. */
  readonly plannedSeeds?: number;
}

/** Rates that were added to the grid of every arm, and the best rates at its ends that asked for them. */
export interface Extension {
  readonly rates: readonly number[];
  readonly because: readonly { readonly arm: "baseline" | "idea"; readonly rate: number }[];
}

/**
 * How a cell ended. `diverged` is a result and is stored; a cell that `failed` (its worker died, or its memory ran out) or ran
 * into its `timeout` has none, and is tried again when the run is resumed.
 */
export type CellStatus = "ok" | "diverged" | UnfinishedStatus;

/** Why a cell has no result. */
export type UnfinishedStatus = "failed" | "timeout";

/** A final model of the idea whose mechanism was not measured, since the cell that measures it did not end. */
export interface UnmeasuredModel {
  readonly seed: number;
  readonly status: UnfinishedStatus;
  readonly reason: string;
}

/** What a cell leaves in the report. */
export interface CellRecord {
  readonly key: string;
  readonly arm: Arm;
  readonly cfg: Config;
  readonly seed: number;
  /** The part of the data that the metric was taken on. */
  readonly evaluated: EvaluatedPart;
  readonly status: CellStatus;
  /** Why a cell did not end. */
  readonly reason?: string;
  /** NaN for a cell that did not end; so are its parameters. */
  readonly metric: number;
  /** The track's further figures by name, where it has any, of a cell that is evaluated on the test part. */
  readonly further?: Readonly<Record<string, number>>;
  /** Mean training loss of each epoch. */
  readonly curve: readonly number[];
  readonly parameters: number;
  readonly steps: number;
  readonly seconds: number;
  /** Floating-point operations of the forward pass on one series; absent where they were not counted. */
  readonly flops?: number;
  /** Bytes of the arena when it stood highest; absent where it was not measured. */
  readonly memory?: number;
}

/** Where and with what a run was made. */
export interface Provenance {
  readonly command: string;
  readonly version: string;
  readonly node: string;
  readonly v8: string;
  readonly platform: string;
  readonly cpu: string;
  /** `inline`, `threads`, `slurm` or `bullmq`. */
  readonly executor: string;
  readonly workers: number;
  readonly kernels: string;
  /** Hash of the package's own code that decides results. */
  readonly fingerprint: string;
  /** The commit of the package's working copy; absent where it is none or git is missing. */
  readonly commit?: string;
  /** Whether that working copy has uncommitted changes. */
  readonly dirty?: boolean;
  /** SHA-256 of the package's lock file, where it has one. */
  readonly lock?: string;
  /**
   * The users' files that the run loaded, each with the SHA-256 over its content and that of every file that it imports, and with
   * what the run took from it; absent where it is not known.
   */
  readonly plugins?: readonly PluginOrigin[];
  readonly started: string;
  /**
   * By the clock, from its start to its record, less the time in which all of its tasks waited for places that other runs of the same
   * command had.
   */
  readonly seconds: number;
}

/** A user's file behind a run. */
export interface PluginOrigin {
  readonly path: string;
  readonly sha256: string;
  /** `idea mine`, `track ramp`, `model plain`. */
  readonly brings: readonly string[];
}

/** A comparison of a family as another report knows it. */
export interface FamilyRecord {
  readonly idea: string;
  readonly track: string;
  readonly model: string;
  /** Its two-sided sign-flip p; null while it has not finished. That of the run itself is not read. */
  readonly pValue: number | null;
}

/** A finished run: everything that a report is made of. */
export interface RunRecord {
  readonly idea: { readonly name: string; readonly title: string; readonly options: IdeaOptions };
  readonly track: string;
  readonly model: string;
  readonly direction: "lower" | "higher";
  /** The name of the track's metric, such as `MSE`. */
  readonly metric?: string;
  /** What the track measures beside its metric, where it does; the values are in the final cells. */
  readonly furtherMetrics?: readonly FurtherMetric[];
  readonly protocol: Protocol;
  readonly baseline: ArmRecord;
  readonly ideaArm: ArmRecord;
  /** In the order in which they were made. */
  readonly extensions: readonly Extension[];
  /** The controls that were asked for and are arms, in the order of the idea. */
  readonly controls: readonly ControlRecord[];
  /** The controls that were asked for and are the baseline under another name. */
  readonly baselineControls: readonly ControlDescription[];
  readonly floors: readonly FloorRecord[];
  readonly checks: readonly MathCheck[];
  readonly signatures: readonly { readonly seed: number; readonly signature: Signature }[];
  /** Models whose mechanism was not measured; absent where all were. */
  readonly unmeasured?: readonly UnmeasuredModel[];
  readonly mechanism: {
    readonly mechanism: { readonly [key: string]: Json };
    readonly mathematics: { readonly [key: string]: Json };
    readonly confirmed: boolean;
  };
  readonly cells: readonly CellRecord[];
  readonly provenance: Provenance;
  /** The comparisons made together and the place of this one; a run alone is a family of one. */
  readonly family?: { readonly own: number; readonly members: readonly FamilyRecord[] };
}

export type { Claim };
