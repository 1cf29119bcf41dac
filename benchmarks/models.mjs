/** The models of the benchmark in this framework, and one training step of each: forward, mean squared error, backward, Adam. */
import { generator, randomNormal, scope } from "../dist/index.js";
import {
  Adam,
  GRU,
  LayerNorm,
  Linear,
  Module,
  mseLoss,
  PositionEmbedding,
  TransformerBlock,
} from "../dist/nn/index.js";

const rng = generator(0);

/** Standard normal numbers of a shape. */
export const normal = (...shape) => randomNormal(rng, shape);

/** A GRU of 64 units over three inputs, and a linear head on its last state. */
export class Recurrent extends Module {
  constructor(onStep) {
    super();
    this.gru = new GRU(3, 64, { rng, ...(onStep ? { onStep } : {}) });
    this.head = new Linear(64, 2, { rng });
  }
  forward(x) {
    return this.head.forward(this.gru.forward(x).hidden.slice([0]));
  }
}

/** A pre-norm encoder of two blocks with four heads, and a linear head on the last position. */
export class Transformer extends Module {
  constructor(steps, width, feedForward) {
    super();
    this.embed = new Linear(4, width, { rng });
    this.positions = new PositionEmbedding(steps, width, { rng });
    this.layers = [0, 1].map(() => new TransformerBlock(width, { heads: 4, feedForward, rng }));
    this.norm = new LayerNorm(width);
    this.head = new Linear(width, 1, { rng });
  }
  forward(x) {
    let states = this.positions.forward(this.embed.forward(x));
    for (const layer of this.layers) states = layer.forward(states);
    return this.head.forward(this.norm.forward(states.slice([null, -1])));
  }
}

/** A function that does one training step of a model. */
export function training(model, x, y) {
  const optimizer = new Adam(model.parameters(), { lr: 1e-3 });
  return () =>
    scope(() => {
      mseLoss(model.forward(x), y).backward();
      optimizer.step();
      optimizer.zeroGrad();
    });
}

export const gruStep = (onStep) => training(new Recurrent(onStep), normal(32, 32, 3), normal(32, 2));
export const transformerStep = (steps, width, feedForward) =>
  training(new Transformer(steps, width, feedForward), normal(32, steps, 4), normal(32, 1));
