import type { Tensor } from "../autograd/index.js";
import type { AttentionDecoder, Module } from "../nn/index.js";
import type { Generator } from "../random/index.js";

/** Values that survive a round trip through JSON and a worker thread. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The options of an idea by name, such as `{ rank: 2, form: "B" }`. */
export type IdeaOptions = Readonly<Record<string, number | string | boolean>>;

/** What replaces the hidden state of a recurrent model after each step: `[batch, hidden]` → the same shape. */
export type HiddenChange = (hidden: Tensor) => Tensor;

/** Where an attention takes place. */
export interface AttentionSite {
  readonly layer: number;
  /** Whether no token may see a later one; what replaces the attention has to see to it. False when left out. */
  readonly causal?: boolean;
}

/**
 * What replaces the attention of a transformer layer: q, k, v `[batch, heads, n, d]` → `[batch, heads, n, d]`.
 *
 * @throws E_IDEA where it must be causal and cannot be
 */
export type AttentionChange = (q: Tensor, k: Tensor, v: Tensor, site: AttentionSite) => Tensor;

/** The places of the built-in models that an idea may change; a model refuses a change that it has no place for. */
export interface ModelChange {
  readonly hidden?: HiddenChange;
  readonly attention?: AttentionChange;
  /** Goes a token at a time through a causal layer as `attention` goes through all; a new one for each sequence. */
  readonly attentionDecoder?: (site: AttentionSite) => AttentionDecoder;
  /** The number of hidden units of a recurrent model, in place of its own. */
  readonly width?: number;
  /**
   * What the change learns, by name: trained, counted, stored and loaded with the model, as `change.<name>.…`. Their
   * initial parameters come from the idea's stream, so those of the model itself are the same in every arm.
   */
  readonly modules?: Readonly<Record<string, Module>>;
}

/**
 * What an idea must be measured against besides the baseline: the idea with its key step removed or replaced by
 * something cheaper, tried under the same protocol. An idea that is not better than its control owes its result to
 * what both have in common.
 */
export interface Control {
  /** The name on the command line, such as `plain-t2`; unique within the idea. */
  readonly name: string;
  readonly title: string;
  /** The construction as a formula, with its source where it is somebody else's. */
  readonly statement: string;
  /** What it would mean if the idea were no better than this. */
  readonly why: string;
  /**
   * `trained`, the default: an arm of its own, tuned and trained as the idea is. `evaluated`: never trained; the idea's
   * final models are scored with this change in place of the idea's. `baseline`: the baseline itself under another
   * name, which costs nothing.
   */
  readonly kind?: "trained" | "evaluated" | "baseline";
  /** Not among all controls, only asked for by its name: it costs many times what the idea costs, or differs from another under some options only. */
  readonly byName?: boolean;
  /** The change to the model; options and `rng` are those of the idea's own change. */
  change(options: IdeaOptions, rng: Generator): ModelChange;
}

/** One mathematical check on random inputs, run before anything is trained. */
export interface MathCheck {
  readonly name: string;
  /** The identity as a formula. */
  readonly statement: string;
  /** `observed` must not exceed `bound`. */
  readonly observed: number;
  readonly bound: number;
  readonly passed: boolean;
}

/** A claim about the mechanism, with the control on which it must fail. */
export interface Claim {
  readonly quantity: string;
  /** The claim as a formula. */
  readonly statement: string;
  readonly where: "random inputs" | "trained model";
  readonly predicted: number | string;
  readonly observed: number;
  /** How far `observed` may lie from the prediction, in the unit that `statement` names. */
  readonly tolerance: number;
  readonly held: boolean;
  /** The same claim on a model or layer without the key step: `refuted` is true when it fails there, as it must. */
  readonly control: { readonly what: string; readonly observed: number; readonly refuted: boolean };
}

/** What an idea measures on one trained model. */
export interface Signature {
  readonly claims: readonly Claim[];
  /** Every claim held and every control was refuted. */
  readonly confirmed: boolean;
  /** Further figures, reported as they are. */
  readonly figures: { readonly [name: string]: Json };
}

/** A trained model as an idea sees it. */
export interface TrainedModel {
  /** Raw hidden states `[batch, hidden]`, one tensor a step, before the change is applied (recurrent models). */
  hiddenStates(): readonly Tensor[];
  /** q, k and v of each layer `[batch, heads, n, d]` on the test inputs (transformers). */
  attentionInputs(): readonly {
    readonly layer: number;
    /** Whether no token saw a later one; false when left out. */
    readonly causal?: boolean;
    readonly q: Tensor;
    readonly k: Tensor;
    readonly v: Tensor;
  }[];
}

/**
 * An idea: a change to a small model, the mathematics that it promises, and how to see on a trained model that
 * its mechanism is at work. The built-in ideas use this interface and nothing else.
 */
export interface Idea {
  /** The name on the command line, such as `moment-rank2`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** Where the construction comes from. */
  readonly source: string;
  /** The track and model that it is tried on by default. */
  readonly track: string;
  readonly model: string;
  /** Every option with its default; unknown names are errors. */
  readonly options: IdeaOptions;
  /**
   * The change to the model. `rng` is the idea's own stream: what it draws shifts nobody else's numbers.
   * Called once per model.
   */
  change(options: IdeaOptions, rng: Generator): ModelChange;
  /** The ablations that the bench offers for this idea as arms. */
  readonly controls?: readonly Control[];
  /** The identities, checked on random inputs before any training. */
  checks(options: IdeaOptions, rng: Generator): readonly MathCheck[];
  /** The mechanism on one trained model. */
  measure(trained: TrainedModel, options: IdeaOptions, rng: Generator): Signature;
  /**
   * The signatures of all seeds as one: family-wise over seeds, layers, heads and ranks. `mechanism` is what the
   * report prints as `mechanism_signature`, with at least `predicted`, `observed` and `confirmed`; `mathematics` is
   * what it prints as `math_verification`, with at least `passed`.
   */
  summarize(
    checks: readonly MathCheck[],
    signatures: readonly { readonly seed: number; readonly signature: Signature }[],
  ): {
    readonly mechanism: { readonly [key: string]: Json };
    readonly mathematics: { readonly [key: string]: Json };
    readonly confirmed: boolean;
  };
}
