import { noGrad, scope, type Tensor } from "../../../autograd/index.js";
import { builtInIdeas } from "../../../ideas/index.js";
import { cutOf } from "../../../ideas/moment-rank2/evidence/cut.js";
import { momentsOf } from "../../../ideas/moment-rank2/grid-layer.js";
import { MomentProjector } from "../../../ideas/moment-rank2/index.js";
import { meanProjector } from "../../../ideas/moment-rank2/evidence/power-means.js";
import { asMatrices } from "../../../ideas/moment-rank2/state-grid.js";
import { Adam, clipGradNorm } from "../../../nn/index.js";
import { gatherBatch, sliceBatch } from "../../cells/batch.js";
import { buildModel, changeOf, ideaStream } from "../../cells/build-model.js";
import { evaluate } from "../../cells/evaluate.js";
import { forwardFlops } from "../../cells/forward-flops.js";
import { furtherMetrics } from "../../cells/further-metrics.js";
import { parameterCount } from "../../cells/score.js";
import type { TrainSpec } from "../../cells/spec.js";
import { dataOf } from "../../cells/track-data.js";
import { trackLosses } from "../../cells/track-losses.js";
import { decodeWeights } from "../../cells/weights.js";
import type { BenchModel } from "../../models/index.js";
import type { StudiedModel } from "../study.js";
import { armNumbers, armOf, referenceOf, settingsOf, type CompressionArmName } from "./compression-arms.js";
import { repeatTimed } from "./repeat-timed.js";

/** One compression at one rank, trained with one seed, or timed. */
export interface HiddenCompressionPoint extends Readonly<Record<string, number | string>> {
  /** `quality`: figures of a trained model. `time`: those of a training step, and of no model. */
  readonly figures: "quality" | "time";
  readonly arm: CompressionArmName;
  /** 0 for the baseline. */
  readonly rank: number;
  readonly seed: number;
}

/** What a trained model, or a training step, came to; what does not apply is null. */
export type HiddenCompressionFigures = {
  readonly numbers: number;
  /** Mean squared error on the test part. */
  readonly error: number | null;
  /** Drift of the moments over roll-outs of 200 frames, as the track defines them. */
  readonly mass: number | null;
  readonly momentum1: number | null;
  readonly momentum2: number | null;
  readonly energy: number | null;
  /** ‖C(h) − h‖/‖h‖ over all states of the test series that are looked at. */
  readonly change: number | null;
  /** Norm of the gradient of the whole model on batches of the training part: the median and the greatest. */
  readonly gradient: number | null;
  readonly greatestGradient: number | null;
  /** (s_r − s_(r+1))/s_r at the cuts: the median, and the share below 1/8, which the bound of 8 clips. */
  readonly gap: number | null;
  readonly smallGaps: number | null;
  readonly parameters: number | null;
  /** Operations of a forward pass on one series. */
  readonly flops: number | null;
  /** Seconds of a training step of 32 series. */
  readonly seconds: number | null;
};

const nothing: Omit<HiddenCompressionFigures, "numbers"> = {
  ...{ error: null, mass: null, momentum1: null, momentum2: null, energy: null, change: null },
  ...{ gradient: null, greatestGradient: null, gap: null, smallGaps: null },
  ...{ parameters: null, flops: null, seconds: null },
};

/** Test series whose states are looked at. */
const lookedAt = 100;
/** Batches of the training part whose gradient is taken. */
const gradients = 16;
const batchSize = 32;

/** The training of one arm: 1000 series of `field`, 10 epochs at the rate that suits the baseline best. */
export function trainingOf({ arm, rank, seed }: HiddenCompressionPoint): TrainSpec {
  const idea = referenceOf(arm, rank);
  return {
    kind: "train",
    track: "field",
    model: "rnn_small",
    arm: idea === null ? "baseline" : idea.control === undefined ? "idea" : `control:${idea.control}`,
    cfg: { lr: 0.01 },
    seed,
    ...{ trainSize: 1000, validationSize: 0, testSize: 500 },
    evaluate: "test",
    ...{ epochs: 10, batchSize, optimizer: "adam" },
    idea,
  };
}

/** The figures of a trained model, from its parameters. */
export function compressionQuality(
  { arm, rank }: HiddenCompressionPoint,
  { spec, weights }: StudiedModel,
): HiddenCompressionFigures {
  const { track, data } = dataOf(spec);
  const model = buildModel(spec, builtInIdeas);
  model.module.loadStateDict(decodeWeights(weights));
  const error = evaluate(model, data.test, track);
  const drift = furtherMetrics(model, track, spec);
  const { x } = sliceBatch(data.test, track, 0, Math.min(lookedAt, data.test.count));
  const states = model.observe(x).hiddenStates();
  const norms = gradientNorms(model, spec);
  return {
    ...nothing,
    numbers: armNumbers(arm, rank),
    error,
    mass: drift["mass drift"]!,
    momentum1: drift["momentum 1 drift"]!,
    momentum2: drift["momentum 2 drift"]!,
    energy: drift["energy drift"]!,
    change: relativeChange(spec, states),
    gradient: norms[norms.length >> 1]!,
    greatestGradient: norms.at(-1)!,
    ...(armOf(arm).truncates ? gapFigures(arm, rank, states) : {}),
    parameters: parameterCount(model),
    flops: forwardFlops(() => model.forward(x.slice([[0, 1]]))),
  };
}

/** ‖C(h) − h‖/‖h‖; null where the states are not changed. */
function relativeChange(spec: TrainSpec, states: readonly Tensor[]): number | null {
  const change = spec.idea && changeOf(spec.idea, builtInIdeas, ideaStream(spec.seed, "change"));
  if (!change?.hidden || change.modules) return null;
  let [moved, total] = [0, 0];
  for (const h of states) {
    scope(() => {
      moved += noGrad(() => change.hidden!(h).sub(h).square().sum().item());
      total += h.square().sum().item();
    });
  }
  return Math.sqrt(moved / total);
}

/** Norms of the gradients on batches of the training part, in ascending order. */
function gradientNorms(model: BenchModel, spec: TrainSpec): readonly number[] {
  const norms: number[] = [];
  for (let at = 0; at < gradients; at++) {
    scope(() => {
      stepGradient(model, spec, at);
      norms.push(clipGradNorm(model.module.parameters(), Infinity));
      model.module.zeroGrad();
    });
  }
  return norms.sort((a, b) => a - b);
}

/** Leaves the gradient of a batch of the training part in the parameters. */
function stepGradient(model: BenchModel, spec: TrainSpec, batch: number): void {
  const { track, data } = dataOf(spec);
  const indices = Int32Array.from(
    { length: batchSize },
    (_, i) => (batch * batchSize + i) % data.train.count,
  );
  const { x, y } = gatherBatch(data.train, track, indices);
  trackLosses[track.loss](model.forward(x), y).backward();
}

/** What the spectra of the states say of the cuts. */
function gapFigures(
  arm: CompressionArmName,
  rank: number,
  states: readonly Tensor[],
): Pick<HiddenCompressionFigures, "gap" | "smallGaps"> {
  const settings = settingsOf(arm, rank)!;
  const basis = momentsOf(settings);
  const projector = settings.moments === "power" ? meanProjector(settings) : new MomentProjector(basis);
  const cut = arm === "truncation" ? ({ ...settings, form: "A" } as const) : settings;
  const gaps = states.flatMap((h) =>
    cutOf(cut, projector, asMatrices(h, basis)).spectra.flatMap(({ s, k, rank: kept }) =>
      Array.from({ length: s.length / k }, (_, b) => {
        const last = s[b * k + kept - 1]!;
        return last > 0 ? (last - s[b * k + kept]!) / last : 1;
      }),
    ),
  );
  if (gaps.length === 0) return { gap: null, smallGaps: null };
  gaps.sort((a, b) => a - b);
  return { gap: gaps[gaps.length >> 1]!, smallGaps: gaps.filter((gap) => gap <= 1 / 8).length / gaps.length };
}

/** The time of a training step on the data of the study, from the initial parameters. To be run in a fresh process. */
export function compressionTime(point: HiddenCompressionPoint): HiddenCompressionFigures {
  const spec = trainingOf(point);
  const model = buildModel(spec, builtInIdeas);
  const optimizer = new Adam(model.module.parameters(), { lr: spec.cfg.lr });
  let batch = 0;
  const { seconds } = repeatTimed(
    () =>
      scope(() => {
        stepGradient(model, spec, batch++);
        optimizer.step();
        optimizer.zeroGrad();
      }),
    { enough: 1 },
  );
  return { ...nothing, numbers: armNumbers(point.arm, point.rank), seconds };
}
