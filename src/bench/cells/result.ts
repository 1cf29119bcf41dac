import type { Signature } from "../../ideas/index.js";
import type { CellSpec, EvaluateSpec, StudyFigures, StudySpec, TrainSpec } from "./spec.js";

/** A tensor of a state dict: float32 numbers, little-endian, in base64. */
export interface StoredTensor {
  readonly shape: readonly number[];
  readonly data: string;
}

/** The trained parameters by name. */
export type StoredWeights = Readonly<Record<string, StoredTensor>>;

/** What a training cell computes: a function of its specification, to the bit. */
export interface TrainResult {
  /** `diverged` when a loss or the metric was not finite; training stops there. */
  readonly status: "ok" | "diverged";
  /** The track's metric on the part that the cell is evaluated on; the worst value there is for a diverged cell. */
  readonly metric: number;
  /** The track's further figures by name, where it has any, of a cell that is evaluated on the test part. */
  readonly further?: Readonly<Record<string, number>>;
  /** Mean training loss of each epoch, over its series; a diverged cell ends with the epoch in which it diverged. */
  readonly curve: readonly number[];
  /** Numbers in the model's parameters. */
  readonly parameters: number;
  /** Optimizer steps taken. */
  readonly steps: number;
  readonly weights: StoredWeights;
}

/** What a cell computes that only scores a trained model. */
export type EvaluateResult = Pick<TrainResult, "status" | "metric" | "parameters">;

/** The result of a cell by its kind. */
export type CellResult<Spec extends CellSpec = CellSpec> = Spec extends TrainSpec
  ? TrainResult
  : Spec extends EvaluateSpec
    ? EvaluateResult
    : Spec extends StudySpec
      ? StudyFigures
      : Signature;

/** What a training cell cost beside time. */
export interface CellCost {
  /** Floating-point operations of the forward pass on one series; absent for a diverged cell. */
  readonly flops?: number;
  /** Bytes of the arena when it stood highest: 0 where kernels use none. */
  readonly memory?: number;
}

/** A result with the time that it took and what else it cost, which are no part of the result. */
export interface CellOutcome<Spec extends CellSpec = CellSpec> extends CellCost {
  readonly result: CellResult<Spec>;
  readonly seconds: number;
}
