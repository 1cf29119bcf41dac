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
  /**
   * A new decoder of a model of texts that can go a token at a time.
   *
   * @throws E_VALUE when the model's attention was replaced by one that cannot
   */
  decoder?(): TokenDecoder;
}

/** A model of texts that goes a token at a time; what it remembers of the tokens before is in it. */
export interface TokenDecoder {
  /** The tokens so far. */
  readonly tokens: number;
  /** The bytes that its attention remembers. */
  readonly bytes: number;
  /** The next token of each text, int32 `[batch, 1, 1]` → `[batch, outputs]`: what follows it, to the bit as `forward` has it. */
  step(tokens: Tensor): Tensor;
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
