import type { Claim, IdeaOptions, Json, MathCheck } from "../../ideas/index.js";
import type { EvidencePath, SequentialPlan } from "../sequential/index.js";
import type { Arm } from "../cells/spec.js";
import type { CellStatus, UnfinishedStatus } from "../record.js";
import type { ControlsSection } from "./document-controls.js";
import type { SeedVerdict, StrictVerdict } from "../verdict/index.js";
import type {
  ArmFigures,
  BenchReportBase,
  BenchReportV1,
  MathVerification,
  ReportConfig,
  Statement,
  SweepFigures,
} from "./document.js";

/** A row of a sweep with its values. */
export type FullSweepFigures = Required<SweepFigures>;

/** The statistics that version 2 adds. Differences are idea − baseline; `NaN` where they do not exist. */
export interface Statistics {
  readonly alpha: number;
  /** `extreme` of `total` sign patterns are at least as far out; above 20 pairs they are drawn. */
  readonly sign_flip: {
    readonly method: "exact" | "monte-carlo";
    readonly extreme: number;
    readonly total: number;
    readonly p_value: number;
  };
  readonly paired_t: { readonly t: number; readonly df: number; readonly p_value: number };
  readonly t_interval: readonly [number, number] | null;
  /** Inverted sign-flip interval; none for five pairs or fewer. */
  readonly sign_flip_interval: readonly [number, number] | null;
  /** By enumeration, so only for 8 pairs or fewer. */
  readonly bca_interval: readonly [number, number] | null;
  readonly effect: {
    readonly relative_pct: number;
    readonly dz: number;
    readonly hedges_gz: number;
    readonly hodges_lehmann: number;
    readonly pair_correlation: number;
  };
  /** How often the idea beats the baseline, ties counted half, with Wilson's interval. */
  readonly improvement: { readonly probability: number; readonly interval: readonly [number, number] | null };
  /** The mean difference that is found with 80 % power, where `mde` is found about half of the time. */
  readonly mde_80: { readonly dz: number; readonly difference: number; readonly rel_pct: number };
  readonly equivalence: { readonly margin_pct: number; readonly margin: number; readonly p_value: number };
  /** Pairs needed for 80 % power to see a difference of so many percent of the baseline. */
  readonly needed_seeds: readonly { readonly difference_pct: number; readonly pairs: number | null }[];
}

/** How one arm was tuned. */
export interface ArmTuning {
  readonly seeds: readonly string[];
  readonly configurations: number;
  readonly cells: number;
  readonly edge: readonly string[];
}

/** How the arms were tuned, and whether alike. */
export interface Tuning {
  /** The part of the data that the configurations were chosen on. */
  readonly selection: "test" | "validation";
  readonly baseline: ArmTuning;
  readonly idea: ArmTuning;
  /** Rates added to the grid of both arms, and the best rates at its ends that asked for them; absent before 0.4. */
  readonly extensions?: readonly {
    readonly rates: readonly number[];
    readonly because: readonly { readonly arm: "baseline" | "idea"; readonly rate: number }[];
  }[];
  readonly equal: boolean;
  readonly inequalities: readonly string[];
}

/** A floor with the value of each seed. */
export interface FloorFigures extends ArmFigures {
  readonly name: string;
  readonly seeds: readonly string[];
  readonly beaten: boolean;
}

/**
 * A figure that the track measures beside its metric, on the final models: it informs and decides nothing, so that its p
 * is not adjusted for being one of several. A seed that diverged has NaN, and so has then all that is taken over seeds.
 */
export interface FurtherMetricFigures {
  readonly name: string;
  /** Empty for a share. */
  readonly unit: string;
  readonly direction: BenchReportBase["metric_direction"];
  readonly description: string;
  readonly baseline: ArmFigures;
  readonly idea: ArmFigures;
  readonly comparison: {
    readonly delta_mean: number;
    readonly idea_wins: number;
    readonly per_seed_diffs: readonly number[];
    /** Of the two-sided sign-flip test. */
    readonly p_value: number;
  };
}

/** The claims about the mechanism on one trained model. */
export interface SeedMechanism {
  readonly seed: string;
  readonly confirmed: boolean;
  readonly claims: readonly Claim[];
  readonly figures: { readonly [name: string]: Json };
}

/** What a cell of the run left behind. */
export interface CellFigures {
  readonly key: string;
  readonly arm: Arm;
  readonly cfg: ReportConfig;
  readonly seed: string;
  /** The part of the data that the metric was taken on; the test part when absent, as in reports of before 0.4. */
  readonly evaluated?: "validation" | "test";
  readonly status: CellStatus;
  /** Why a cell did not end. */
  readonly reason?: string;
  /** NaN for a cell that did not end; so are its parameters. */
  readonly metric: number;
  readonly further?: Readonly<Record<string, number>>;
  readonly curve: readonly number[];
  readonly parameters: number;
  readonly steps: number;
  readonly seconds: number;
  /** Floating-point operations of the forward pass on one series. */
  readonly flops?: number;
  /** Bytes of the arena when it stood highest. */
  readonly memory?: number;
}

/** Idea over baseline, on the final cells: means over seeds. */
export interface CostRatios {
  readonly parameters: number | null;
  readonly steps: number | null;
  readonly seconds: number | null;
  /** Of the forward pass; absent where no cell has them, as in reports of before 0.4. */
  readonly flops?: number | null;
  /** Of the highest stand of the arena; absent where no cell has it. */
  readonly memory?: number | null;
}

/** A comparison of a family, with its sign-flip p before and after it is adjusted for the others. */
export interface FamilyMember {
  readonly idea: string;
  readonly track: string;
  readonly model: string;
  /** Two-sided sign-flip p of this comparison alone; NaN where it diverged, null while it has not finished. */
  readonly p_value: number | null;
  readonly holm: number | null;
  readonly benjamini_hochberg: number | null;
}

/** The comparisons that were made together, of which the report is one; an idea alone on one track is a family of one. */
export interface Family {
  /** What decides. */
  readonly rule: "holm";
  /** The place of this report's comparison among the members. */
  readonly own: number;
  readonly members: readonly FamilyMember[];
}

/** The inner report of schema version 2. */
export interface BenchReportV2 extends BenchReportBase {
  readonly bench_version: 2;
  /** The name of the metric, such as `MSE`. */
  readonly metric: string;
  readonly subject: { readonly name: string; readonly title: string; readonly options: IdeaOptions };
  readonly baseline: {
    readonly best_cfg: ReportConfig;
    readonly sweep: readonly FullSweepFigures[];
    readonly full: ArmFigures;
  };
  readonly idea: ArmFigures & {
    readonly best_cfg: ReportConfig;
    readonly sweep: readonly FullSweepFigures[];
  };
  readonly math_verification: MathVerification;
  readonly protocol: {
    readonly preset: string;
    readonly epochs: number;
    readonly n_train: number;
    /** 0 where the configurations were chosen on the test part. Absent before 0.4, like the other optional keys. */
    readonly n_validation?: number;
    readonly n_test: number;
    readonly batch_size: number;
    readonly optimizer: string;
    readonly alpha: number;
    /** The learning rates that both arms try before any extension. */
    readonly rates?: readonly number[];
    /** Values of the idea's own options, each of which its arm tries with every rate. */
    readonly grid_options?: { readonly [option: string]: readonly number[] };
    /** How often a best rate at an end of the grid may extend it. */
    readonly most_extensions?: number;
    /** The configurations of the baseline before any extension. */
    readonly grid: readonly ReportConfig[];
    readonly seeds: readonly string[];
    /** Only in a partial report: how many seeds its run has planned. */
    readonly planned_seeds?: number;
    /** By which version of the caps the strict verdict was given: 2 tells by which diverged cells an arm was at a disadvantage; 1 when absent. */
    readonly caps_version?: number;
    /** How final seeds were added; without it they never were. */
    readonly sequential?: SequentialPlan;
  };
  readonly statistics: Statistics;
  /** With a sequential plan: the evidence E at each look, why the run ended, and the interval that accounts for the looks. */
  readonly sequential?: Omit<EvidencePath, "interval"> & Partial<Pick<EvidencePath, "interval">>;
  readonly family: Family;
  readonly tuning: Tuning;
  readonly informative: boolean;
  readonly floors: readonly FloorFigures[];
  /** Absent where the track's metric says all. */
  readonly further_metrics?: readonly FurtherMetricFigures[];
  /** The idea's controls; absent where none were asked for. */
  readonly controls?: ControlsSection;
  readonly math_checks: readonly MathCheck[];
  readonly mechanism: readonly SeedMechanism[];
  /** Final models of the idea whose mechanism was not measured, since that did not end; absent where all were. */
  readonly unmeasured?: readonly {
    readonly seed: string;
    readonly status: UnfinishedStatus;
    readonly reason: string;
  }[];
  readonly verdicts: { readonly seed_v1: SeedVerdict; readonly strict: StrictVerdict };
  readonly confidence_reasons: readonly string[];
  readonly cost: CostRatios;
  readonly provenance: { readonly [key: string]: Json };
  readonly cells: readonly CellFigures[];
  /**
   * SHA-256 of each section's canonical text by its path; `digests` is that of the other digests together.
   */
  readonly digests: { readonly [path: string]: string };
}

/** The inner report of either version. */
export type BenchReport = BenchReportV1 | BenchReportV2;

/** A document with the statement around the bench report. */
export interface StageReport<Bench extends BenchReport = BenchReport> extends Statement {
  readonly bench_report: Bench;
}

/** What `buildReport` makes. */
export type ReportV2 = StageReport<BenchReportV2>;

/** Either document: the whole, or a bare bench report. */
export type Report = StageReport | BenchReport;

/** The bench report of a document. */
export function benchOf(report: Report): BenchReport {
  return "bench_report" in report ? report.bench_report : report;
}

/** The statement of a document; `undefined` for a bare bench report. */
export function statementOf(report: Report): Statement | undefined {
  return "bench_report" in report ? report : undefined;
}

/**
 * What the path of every figure of the bench report begins with: `bench_report.`, or nothing for a bare one.
 */
export function benchPrefix(report: Report): "bench_report." | "" {
  return "bench_report" in report ? "bench_report." : "";
}
