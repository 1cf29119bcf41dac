import { fail } from "../../errors/index.js";
import { scope } from "../../autograd/index.js";
import { Adam } from "../../nn/index.js";
import { generator } from "../../random/index.js";
import { highWaterMark, resetHighWaterMark } from "../../tensor/index.js";
import type { BenchModel } from "../models/index.js";
import type { Split, Track } from "../tracks/index.js";
import { gatherBatch, sliceBatch } from "./batch.js";
import { buildModel, type IdeaRegistry } from "./build-model.js";
import { evaluate } from "./evaluate.js";
import { furtherMetrics } from "./further-metrics.js";
import { forwardFlops } from "./forward-flops.js";
import { parameterCount, scoreOf } from "./score.js";
import type { CellOutcome, TrainResult } from "./result.js";
import type { TrainSpec } from "./spec.js";
import { dataOf } from "./track-data.js";
import { trackLosses } from "./track-losses.js";
import { encodeWeights } from "./weights.js";

/** The end of an epoch. */
export interface EpochEvent {
  /** Counted from 1. */
  readonly epoch: number;
  /** Mean training loss over the epoch's series. */
  readonly loss: number;
}

/**
 * Trains one model: Adam on the track's loss, the order of the series from the seed's stream "batches", the last
 * batch of an epoch as small as it comes. The model of the last epoch is scored on the one part that the specification
 * names. A loss or a score that is not finite ends the cell as `diverged`.
 *
 * The generator pauses after each epoch; what it returns is a function of the specification alone, but for `seconds`.
 */
export function* trainCell(
  spec: TrainSpec,
  ideas: IdeaRegistry,
): Generator<EpochEvent, CellOutcome<TrainSpec>, void> {
  const begin = performance.now();
  resetHighWaterMark();
  const { track, data } = dataOf(spec);
  const scored = data[spec.evaluate];
  if (scored.count === 0) {
    fail(
      "E_VALUE",
      `a cell is evaluated on the ${spec.evaluate} part, and its specification gives that part no series`,
    );
  }
  const model = buildModel(spec, ideas);
  const trainer = new Trainer(spec, track, model, data.train);

  const curve: number[] = [];
  let finite = true;
  for (let epoch = 1; epoch <= spec.epochs && finite; epoch++) {
    const loss = trainer.epoch();
    curve.push(loss);
    finite = Number.isFinite(loss);
    yield { epoch, loss };
  }
  const score = scoreOf(finite ? evaluate(model, scored, track) : NaN, track);
  const result: TrainResult = {
    ...score,
    ...(score.status === "ok" && track.further && spec.evaluate === "test"
      ? { further: furtherMetrics(model, track, spec) }
      : {}),
    curve,
    parameters: parameterCount(model),
    steps: trainer.steps,
    weights: encodeWeights(model.module.stateDict()),
  };
  const seconds = (performance.now() - begin) / 1000;
  const memory = highWaterMark();
  if (result.status === "diverged") return { result, seconds, memory };
  const { x } = sliceBatch(data.train, track, 0, 1);
  return { result, seconds, memory, flops: forwardFlops(() => model.forward(x)) };
}

/** {@link trainCell} without the pauses. */
export function runTrainingCell(
  spec: TrainSpec,
  ideas: IdeaRegistry,
  onEpoch?: (event: EpochEvent) => void,
): CellOutcome<TrainSpec> {
  const steps = trainCell(spec, ideas);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    onEpoch?.(step.value);
  }
}

class Trainer {
  steps = 0;
  readonly #optimizer: Adam;
  readonly #order;

  constructor(
    private readonly spec: TrainSpec,
    private readonly track: Track,
    private readonly model: BenchModel,
    private readonly train: Split,
  ) {
    this.#optimizer = new Adam(model.module.parameters(), { lr: spec.cfg.lr });
    this.#order = generator(spec.seed).stream("batches");
  }

  /** One pass over the training part. Returns the mean loss; not finite when the pass was broken off there. */
  epoch(): number {
    const order = this.#order.permutation(this.train.count);
    let total = 0;
    for (let from = 0; from < order.length; from += this.spec.batchSize) {
      const indices = order.subarray(from, from + this.spec.batchSize);
      const loss = this.#step(indices);
      if (!Number.isFinite(loss)) return loss;
      total += loss * indices.length;
    }
    return total / this.train.count;
  }

  /** One update, in the memory of a scope. Returns the loss. */
  #step(indices: Int32Array): number {
    return scope(() => this.#update(indices));
  }

  #update(indices: Int32Array): number {
    const { x, y } = gatherBatch(this.train, this.track, indices);
    const loss = trackLosses[this.track.loss](this.model.forward(x), y);
    const value = loss.item();
    if (!Number.isFinite(value)) return value;
    loss.backward();
    this.#optimizer.step();
    this.#optimizer.zeroGrad();
    this.steps += 1;
    return value;
  }
}
