import { noGrad, scope, type Tensor } from "../../autograd/index.js";
import type { ModelChange, TrainedModel } from "../../ideas/index.js";
import { GRU, Linear, Module } from "../../nn/index.js";
import type { Generator } from "../../random/index.js";
import { changeModules } from "./change-modules.js";
import type { ModelDefinition, ModelShape } from "./model.js";
import { requirePlaces } from "./places.js";
import { TokenEmbedding } from "./token-embedding.js";

/** Hidden units, unless a change sets another number. */
const HIDDEN = 64;
/** Width of the vectors that tokens become. */
const EMBEDDING = 32;

class RnnSmall extends Module {
  /** For tokens only. */
  readonly embed: TokenEmbedding | undefined;
  readonly gru: GRU;
  readonly head: Linear;
  readonly change: Module | undefined;
  /** Where hidden states as the idea gets them go while somebody looks. */
  #seen: Tensor[] | undefined;
  readonly #isText: boolean;

  constructor({ input, outputs }: ModelShape, rng: Generator, change: ModelChange) {
    super();
    const changed = change.hidden;
    const onStep = (hidden: Tensor): Tensor => {
      this.#seen?.push(hidden);
      return changed!(hidden);
    };
    this.#isText = input.kind === "text";
    const isTokens = input.kind !== "series";
    const width = change.width ?? HIDDEN;
    if (isTokens) this.embed = new TokenEmbedding(input.vocabulary, EMBEDDING, { rng: rng.stream("embed") });
    this.gru = new GRU(isTokens ? EMBEDDING : input.features, width, {
      rng: rng.stream("gru"),
      ...(changed ? { onStep } : {}),
    });
    this.head = new Linear(width, outputs, { rng: rng.stream("head") });
    this.change = changeModules(change);
  }

  forward(x: Tensor): Tensor {
    const { hidden, output } = this.gru.forward(this.embed?.forward(x) ?? x);
    if (this.#seen?.length === 0)
      this.#seen.push(...output.split(x.shape[1]!, 1).map((state) => state.squeeze(1)));
    return this.head.forward(this.#isText ? output.reshape([-1, output.shape[2]!]) : hidden.slice([0]));
  }

  observe(x: Tensor): TrainedModel {
    const states = scope(() => this.#statesOf(x));
    return { hiddenStates: () => states, attentionInputs: () => [] };
  }

  #statesOf(x: Tensor): readonly Tensor[] {
    const states: Tensor[] = [];
    this.#seen = states;
    try {
      noGrad(() => this.forward(x));
    } finally {
      this.#seen = undefined;
    }
    return states;
  }
}

/** A GRU with 64 hidden units, and a linear head on its last state, on text on every state. */
export const rnnSmall: ModelDefinition = {
  name: "rnn_small",
  title: "small recurrent network",
  description:
    "GRU with 64 hidden units, linear head on the last state; tokens enter through a table of 32-wide vectors, the " +
    "tokens of one position added up; on text the head is on every state",
  places: ["hidden", "width"],
  accepts: ({ kind }) => kind === "series" || kind === "tokens" || kind === "text",
  build(shape, rng, change) {
    requirePlaces(this, change);
    const module = new RnnSmall(shape, rng, change);
    return { module, forward: (x) => module.forward(x), observe: (x) => module.observe(x) };
  },
};
