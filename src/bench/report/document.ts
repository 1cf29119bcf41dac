import type { Json } from "../../ideas/index.js";

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A configuration, such as `{ lr: 0.006 }`. */
export type ReportConfig = JsonObject;

/** Mean, population standard deviation and values of one arm, a value a seed. */
export interface ArmFigures {
  readonly mean: number;
  readonly std: number;
  readonly per_seed: readonly number[];
  readonly n: number;
}

/** One configuration of a sweep. Version 2 always has the optional keys. */
export interface SweepFigures {
  readonly cfg: ReportConfig;
  readonly mean: number;
  readonly std?: number;
  readonly n?: number;
  readonly seeds?: readonly string[];
  readonly per_seed?: readonly number[];
}

/** The paired comparison; differences are idea − baseline. */
export interface Comparison {
  readonly delta_mean: number;
  readonly idea_wins: number;
  readonly n_pairs: number;
  readonly per_seed_diffs: readonly number[];
  /** Monte-Carlo sign-flip p of the reports' recipe. */
  readonly p_value: number;
  /** Half-width of the 95 % interval of the mean difference. */
  readonly mde: number;
  readonly mde_rel_pct: number;
  readonly verdict: string;
  readonly system_worked: boolean;
}

/**
 * What a run claims of its mechanism; the other keys are the idea's own. The figures are null in version 2
 * when no trained model could be measured.
 */
export interface MechanismSignature extends JsonObject {
  readonly predicted: number | string | null;
  readonly observed: number | string | null;
  readonly confirmed: boolean;
}

/** The mathematical check before training; the other keys are the idea's own. */
export interface MathVerification extends JsonObject {
  readonly passed: boolean;
}

/** The keys that both versions of a bench report have. */
export interface BenchReportBase {
  readonly track: string;
  readonly model: string;
  readonly metric_direction: "lower is better" | "higher is better";
  readonly n_seeds: number;
  readonly baseline: {
    readonly best_cfg: ReportConfig;
    readonly sweep: readonly SweepFigures[];
    readonly full: ArmFigures;
  };
  readonly idea: ArmFigures & {
    readonly best_cfg?: ReportConfig;
    readonly sweep?: readonly SweepFigures[];
  };
  readonly comparison: Comparison;
  readonly mechanism_signature: MechanismSignature;
  readonly math_verification?: MathVerification;
}

/** How a version 1 run was set up. */
export interface ProtocolV1 {
  readonly epochs?: number;
  readonly n_train?: number;
  readonly n_test?: number;
  readonly grid?: readonly ReportConfig[];
  readonly seeds?: readonly (number | string)[];
}

/** The inner report of schema version 1. */
export interface BenchReportV1 extends BenchReportBase {
  readonly bench_version: 1;
  readonly protocol?: ProtocolV1;
}

/** The statement around a bench report. */
export interface Statement {
  readonly worked: boolean;
  readonly confidence: number;
  readonly verdict: string;
  readonly metrics: { readonly [name: string]: string };
  readonly files: readonly string[];
  readonly limitations: string;
  readonly system_verdict: string;
  readonly practical_verdict: string;
  readonly mechanism_ok: number;
  readonly system_judged: boolean;
}
