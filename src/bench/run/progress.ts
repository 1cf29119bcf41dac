import type { Arm } from "../cells/spec.js";
import type { CellRecord, Config, UnfinishedStatus } from "../record.js";

/** What a run is doing; `training` is that of the final models, and of all of them where those rank the configurations. */
export type RunPhase = "checks" | "tuning" | "training" | "floors" | "mechanism" | "controls" | "done";

/** A cell that is being computed. */
export interface RunningCell {
  readonly kind: "train" | "measure" | "evaluate";
  readonly arm: Arm;
  readonly cfg: Config;
  readonly seed: number;
  /** Epochs finished, of `epochs`; both are 0 while a trained model is measured or scored. */
  readonly epoch: number;
  readonly epochs: number;
  /** Mean training loss of the last finished epoch. */
  readonly loss?: number;
}

/** What has just happened. */
export type RunEvent =
  | { readonly kind: "phase"; readonly phase: RunPhase }
  | { readonly kind: "started"; readonly cell: RunningCell }
  | { readonly kind: "epoch"; readonly cell: RunningCell }
  | { readonly kind: "trained"; readonly cell: CellRecord; readonly stored: boolean }
  | { readonly kind: "measured"; readonly seed: number; readonly stored: boolean }
  | { readonly kind: "evaluated"; readonly cell: CellRecord; readonly stored: boolean }
  | {
      readonly kind: "unfinished";
      readonly cell: RunningCell;
      readonly status: UnfinishedStatus;
      readonly reason: string;
    }
  | { readonly kind: "retried"; readonly cell: RunningCell; readonly reason: string }
  /** Tasks stand in a queue, and what they wait for has changed. */
  | { readonly kind: "waiting"; readonly reason: string };

/** The state of a run after an event. */
export interface Progress {
  readonly event: RunEvent;
  readonly phase: RunPhase;
  /**
   * Cells finished, training and mechanism together, of `total`, which grows when a grid is extended; `stored` of them
   * came from the store.
   */
  readonly done: number;
  readonly total: number;
  readonly stored: number;
  readonly running: readonly RunningCell[];
  /** Optimizer steps a second over all workers since the first cell started; 0 before the first epoch. */
  readonly stepsPerSecond: number;
  readonly secondsElapsed: number;
  /** At the pace so far; undefined until a cell has been computed in this run. */
  readonly secondsLeft: number | undefined;
}
