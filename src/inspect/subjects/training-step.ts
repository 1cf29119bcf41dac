import type { Tensor } from "../../autograd/index.js";
import { sliceBatch } from "../../bench/cells/batch.js";
import { ideaStream } from "../../bench/cells/build-model.js";
import { trackLosses } from "../../bench/cells/track-losses.js";
import type { BenchModel } from "../../bench/models/index.js";
import { resolveOptions } from "../../bench/run/idea-options.js";
import { ideaNamed, modelNamed, trackNamed } from "../../bench/run/lookup.js";
import { tracks, type Split, type Track, type TrackNumbers } from "../../bench/tracks/index.js";
import { fail } from "../../errors/index.js";
import type { IdeaOptions } from "../../ideas/index.js";
import { generator } from "../../random/index.js";
import type { InspectDocument } from "../document.js";
import { inspect, type InspectOptions } from "../record/inspect.js";

/** Which training step of a built-in model. */
export interface TrainingStepOptions {
  /** An idea by name, which changes the model. */
  readonly idea?: string | undefined;
  readonly ideaOptions?: IdeaOptions;
  /** The track that the series are of. Default: that of the idea, else the first whose usual model this is. */
  readonly track?: string | undefined;
  /** The last so many steps of each series. Default: all. */
  readonly steps?: number | undefined;
  /** Of the parameters, the data, and what the idea draws. Default 0. */
  readonly seed?: number;
  /** Series in the batch. Default 4. */
  readonly batch?: number;
}

/** The first training step of a built-in model: its parts, so that it can be run, inspected, or changed first. */
export interface TrainingStep {
  readonly subject: string;
  readonly track: Track;
  readonly model: BenchModel;
  readonly x: Tensor;
  readonly y: Tensor;
  /** The loss of the track, of the model's forecast. */
  loss(): Tensor;
}

/**
 * The first training step of a model: its initial parameters, and the first series of the training part.
 *
 * @throws E_TRACK, E_IDEA for names that do not exist, an idea that the model has no place for, and more steps than the series have
 */
export function trainingStep(name: string, options: TrainingStepOptions = {}): TrainingStep {
  const { seed = 0, batch = 4 } = options;
  const definition = modelNamed(name);
  const idea = options.idea === undefined ? undefined : ideaNamed(options.idea);
  const track = trackNamed(options.track ?? idea?.track ?? usualTrack(name));
  if (!definition.accepts(track.input))
    fail(
      "E_TRACK",
      `${name} does not take ${track.input.kind}, which ${track.name} has; choose another track`,
    );
  const change = idea
    ? idea.change(resolveOptions(idea, options.ideaOptions), ideaStream(seed, "change"))
    : {};
  const steps = options.steps ?? track.input.steps;
  if (!(steps >= 1 && steps <= track.input.steps))
    fail(
      "E_TRACK",
      `expected 1 to ${track.input.steps} steps, which the series of ${track.name} have, got ${steps}`,
    );
  const shape = { ...track, input: { ...track.input, steps } };
  const split = lastSteps(track.make(seed, { train: batch, test: 1 }).train, track, steps);
  const { x, y } = sliceBatch(split, shape, 0, batch);
  const model = definition.build(shape, generator(seed).stream("init"), change);
  const of = [track.name, idea?.name, `${steps} steps`, `seed ${seed}`].filter(Boolean).join(", ");
  return {
    subject: `${name}: a training step (${of})`,
    track,
    model,
    x,
    y,
    loss: () => trackLosses[track.loss](model.forward(x), y),
  };
}

/** {@link inspect} of a training step: parameters and operations are told by their modules. */
export function inspectStep(
  { subject, model, x, y, loss }: TrainingStep,
  options: InspectOptions = {},
): InspectDocument {
  return inspect(loss, [], { subject, modules: model.module, named: { x, y }, ...options });
}

function lastSteps(split: Split, { input }: Track, steps: number): Split {
  const x = lastOfEach(split.x, split.count, steps * input.features);
  return { ...split, x, y: input.kind === "text" ? lastOfEach(split.y, split.count, steps) : split.y };
}

/** The last `kept` numbers of each of `count` rows. */
function lastOfEach(values: TrackNumbers, count: number, kept: number): TrackNumbers {
  const whole = values.length / count;
  const found = values.slice(0, count * kept) as TrackNumbers;
  for (let i = 0; i < count; i++)
    found.set(values.subarray((i + 1) * whole - kept, (i + 1) * whole), i * kept);
  return found;
}

function usualTrack(model: string): string {
  return [...tracks.values()].find(({ defaultModel }) => defaultModel === model)?.name ?? "dynamics";
}
