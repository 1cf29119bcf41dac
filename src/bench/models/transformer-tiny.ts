import { noGrad, type Tensor } from "../../autograd/index.js";
import type { ModelChange, TrainedModel } from "../../ideas/index.js";
import {
  LayerNorm,
  Linear,
  Module,
  PositionEmbedding,
  TransformerBlock,
  type AttentionCore,
  type AttentionDecoder,
} from "../../nn/index.js";
import type { Generator } from "../../random/index.js";
import { changeModules } from "./change-modules.js";
import type { ModelDefinition, ModelShape, TokenDecoder } from "./model.js";
import { requirePlaces } from "./places.js";
import { TokenEmbedding } from "./token-embedding.js";

const WIDTH = 32;
const HEADS = 4;
const LAYERS = 2;
const FEED_FORWARD = 64;

type AttentionInput = ReturnType<TrainedModel["attentionInputs"]>[number];

class TransformerTiny extends Module {
  readonly embed: Linear | TokenEmbedding;
  readonly positions: PositionEmbedding;
  readonly layers: readonly TransformerBlock[];
  readonly norm: LayerNorm;
  readonly head: Linear;
  readonly change: Module | undefined;
  readonly #isText: boolean;
  /** Of softmax attention; a replaced one is causal by itself. */
  readonly #masks: { readonly causal?: boolean };

  constructor({ input, outputs }: ModelShape, rng: Generator, change: ModelChange) {
    super();
    this.#isText = input.kind === "text";
    const { attention, attentionDecoder } = change;
    this.#masks = this.#isText && attention === undefined ? { causal: true } : {};
    const coreOf = (layer: number): AttentionCore | undefined =>
      attention && ((q, k, v) => attention(q, k, v, { layer, causal: this.#isText }));
    const decoderOf = (layer: number): (() => AttentionDecoder) | undefined =>
      attentionDecoder && (() => attentionDecoder({ layer, causal: this.#isText }));
    const embedRng = { rng: rng.stream("embed") };
    this.embed =
      input.kind === "series"
        ? new Linear(input.features, WIDTH, embedRng)
        : new TokenEmbedding(input.vocabulary, WIDTH, embedRng);
    this.positions = new PositionEmbedding(input.steps, WIDTH, { rng: rng.stream("positions") });
    this.layers = Array.from({ length: LAYERS }, (_, layer) => {
      const layerRng = rng.stream(`layer ${layer}`);
      return new TransformerBlock(WIDTH, {
        heads: HEADS,
        feedForward: FEED_FORWARD,
        rng: layerRng,
        attention: coreOf(layer),
        attentionDecoder: decoderOf(layer),
      });
    });
    this.norm = new LayerNorm(WIDTH);
    this.head = new Linear(WIDTH, outputs, { rng: rng.stream("head") });
    this.change = changeModules(change);
  }

  forward(x: Tensor): Tensor {
    let states = this.positions.forward(this.embed.forward(x));
    if (this.#isText) {
      for (const layer of this.layers) states = layer.forward(states, this.#masks);
      return this.head.forward(this.norm.forward(states.reshape([-1, WIDTH])));
    }
    for (const layer of this.layers.slice(0, -1)) states = layer.forward(states);
    const last = this.layers[LAYERS - 1].forwardLast(states).squeeze(1);
    return this.head.forward(this.norm.forward(last));
  }

  /** A new memory of the tokens of a text, and the step that it goes on by. */
  decoder(): TokenDecoder {
    const decoders = this.layers.map(({ self_attn }) => self_attn.decoder());
    const first = decoders[0]!;
    return {
      get tokens() {
        return first.tokens;
      },
      get bytes() {
        return decoders.reduce((sum, { bytes }) => sum + bytes, 0);
      },
      step: (tokens) =>
        noGrad(() => {
          let state = this.positions.forward(this.embed.forward(tokens), first.tokens);
          for (const [at, layer] of this.layers.entries()) state = layer.step(state, decoders[at]!);
          return this.head.forward(this.norm.forward(state.squeeze(1)));
        }),
    };
  }

  observe(x: Tensor): TrainedModel {
    const inputs: AttentionInput[] = [];
    this.layers.forEach(({ self_attn }, layer) => {
      self_attn.onHeads = (q, k, v) => inputs.push({ layer, causal: this.#isText, q, k, v });
    });
    try {
      noGrad(() => this.forward(x));
    } finally {
      for (const { self_attn } of this.layers) self_attn.onHeads = undefined;
    }
    return { hiddenStates: () => [], attentionInputs: () => inputs };
  }
}

/** A pre-norm encoder, 32 wide, with a linear head on the last position; on text causal, with the head on every position. */
export const transformerTiny: ModelDefinition = {
  name: "transformer_tiny",
  title: "small transformer",
  description:
    "pre-norm encoder, 32 wide, 4 heads, 2 layers, feed-forward 64 with GELU, learned positions, final layer norm, " +
    "linear head on the last position; tokens enter through a table of vectors, the tokens of one position added up; on text " +
    "attention is causal and the head is on every position",
  places: ["attention"],
  accepts: ({ kind }) => kind === "series" || kind === "tokens" || kind === "text",
  build(shape, rng, change) {
    requirePlaces(this, change);
    const module = new TransformerTiny(shape, rng, change);
    return {
      module,
      forward: (x) => module.forward(x),
      observe: (x) => module.observe(x),
      ...(shape.input.kind === "text" && { decoder: () => module.decoder() }),
    };
  },
};
