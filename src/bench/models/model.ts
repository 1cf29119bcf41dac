import type { Tensor } from "../../autograd/index.js";
import type { ModelChange, TrainedModel } from "../../ideas/index.js";
import type { Module } from "../../nn/index.js";
import type { Generator } from "../../random/index.js";
import type { TrackInput } from "../tracks/track.js";

/** A place of a model that an idea may change. */
export type ChangePlace = Exclude<keyof ModelChange, "modules" | "attentionDecoder">;

/** What a model is built for. */
export interface ModelShape {
  readonly input: TrackInput;
  readonly outputs: number;
}

/** A model of the bench: a forecast from a batch of series or tokens, and a look inside. */
export interface BenchModel {
  readonly module: Module;
  /**
   * Readings in float32 or tokens in int32 `[batch, steps, features]` → `[batch, outputs]`, of a text `[batch·steps, outputs]`: for
   * each position of each series what follows it, by this and earlier positions alone.
   */
  forward(x: Tensor): Tensor;
  /** One pass over `x` without gradients, with what an idea may look at. */
  observe(x: Tensor): TrainedModel;
}

/** A small model by name. */
export interface ModelDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The places of {@link ModelChange} that this model has. */
  readonly places: readonly ChangePlace[];
  accepts(input: TrackInput): boolean;
  /**
   * The model with its initial parameters drawn from `rng`: the same parameters whatever the change, but for a width
   * of its own. What the change learns comes with it.
   *
   * @throws E_IDEA when the change needs a place that this model does not have
   */
  build(shape: ModelShape, rng: Generator, change: ModelChange): BenchModel;
}
