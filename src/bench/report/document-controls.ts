import type { ArmFigures, ReportConfig } from "./document.js";
import type { CostRatios, FullSweepFigures } from "./document-v2.js";

/** Two arms on the same seeds. `NaN` where a seed diverged, and null for an interval that does not exist. */
export interface ControlComparison {
  readonly delta_mean: number;
  /** Seeds on which the first of the two is strictly better. */
  readonly wins: number;
  readonly n_pairs: number;
  /** Of the exact sign-flip test. */
  readonly p_value: number;
  /** Adjusted by Holm over all controls of the report. */
  readonly p_adjusted: number;
  /** The inverted sign-flip interval of the mean difference, not adjusted. */
  readonly interval: readonly [number, number] | null;
}

/** What is to be said of the idea beside one control, at the level of the report and after the adjustment. */
export type IdeaBesideControl = "better" | "worse" | "not shown to differ" | "not comparable";

/** A control in words. */
export interface ControlWords {
  readonly name: string;
  readonly title: string;
  readonly statement: string;
  readonly why: string;
}

/** A control as an arm: what was measured, and what follows from it. */
export interface ControlFigures extends ArmFigures, ControlWords {
  /** An evaluated control has no sweep: its models and their configuration are the idea's. */
  readonly kind: "trained" | "evaluated";
  readonly best_cfg: ReportConfig;
  readonly sweep: readonly FullSweepFigures[];
  /** control − baseline. */
  readonly versus_baseline: ControlComparison;
  /** idea − control. */
  readonly versus_idea: ControlComparison;
  readonly idea_is: IdeaBesideControl;
  /** Control over baseline, on the final cells; steps and seconds are null for a control that is not trained. */
  readonly cost: CostRatios;
}

/** The controls of a run. */
export interface ControlsSection {
  readonly alpha: number;
  readonly arms: readonly ControlFigures[];
  /** Controls that are the baseline under another name. */
  readonly is_baseline: readonly ControlWords[];
  /** What the idea is beside its controls, in a sentence or a few. */
  readonly finding: string;
}
