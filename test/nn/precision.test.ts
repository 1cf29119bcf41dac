import { describe, expect, it } from "vitest";
import { randomNormal, type Tensor } from "../../src/autograd/index.js";
import {
  Adam,
  GRU,
  LayerNorm,
  Linear,
  Module,
  mseLoss,
  PositionEmbedding,
  TransformerBlock,
} from "../../src/nn/index.js";
import { generator, type Generator } from "../../src/random/index.js";

class Recurrent extends Module {
  readonly gru: GRU;
  readonly head: Linear;

  constructor(rng: Generator) {
    super();
    this.gru = new GRU(2, 16, { rng });
    this.head = new Linear(16, 2, { rng });
  }

  forward(x: Tensor): Tensor {
    return this.head.forward(this.gru.forward(x).hidden.slice([0]));
  }
}

class Attentive extends Module {
  readonly embed: Linear;
  readonly positions: PositionEmbedding;
  readonly block: TransformerBlock;
  readonly norm = new LayerNorm(16);
  readonly head: Linear;

  constructor(rng: Generator) {
    super();
    this.embed = new Linear(2, 16, { rng });
    this.positions = new PositionEmbedding(50, 16, { rng });
    this.block = new TransformerBlock(16, { heads: 4, feedForward: 32, rng });
    this.head = new Linear(16, 2, { rng });
  }

  forward(x: Tensor): Tensor {
    const inside = this.block.forward(this.positions.forward(this.embed.forward(x)));
    return this.head.forward(this.norm.forward(inside.slice([null, -1])));
  }
}

const models = [
  ["a GRU", (seed: number) => new Recurrent(generator(seed)), 1e-5],
  ["a transformer", (seed: number) => new Attentive(generator(seed)), 2e-5],
] as const;

describe.each(models)("%s in float32 and in float64", (_, make, tolerance) => {
  const pair = (): [Recurrent | Attentive, Recurrent | Attentive] => {
    const narrow = make(1);
    const wide = make(2).to("float64");
    wide.loadStateDict(narrow.stateDict());
    return [narrow, wide];
  };
  const x = randomNormal(generator("x"), [4, 50, 2]);
  const y = x.sum(1).mul(0.1);

  it("has the same gradients over 50 steps, each relative to its own largest entry", () => {
    const [narrow, wide] = pair();
    mseLoss(narrow.forward(x), y).backward();
    mseLoss(wide.forward(x.cast("float64")), y.cast("float64")).backward();
    const found = new Map(narrow.namedParameters());
    const largest = (values: Tensor): number => Math.max(...values.abs().values());
    for (const [name, { grad }] of wide.namedParameters()) {
      const error = largest(found.get(name)!.grad!.cast("float64").sub(grad!));
      expect(error / largest(grad!), name).toBeLessThanOrEqual(tolerance);
    }
  });

  it("has the same loss after 50 steps of Adam", () => {
    const losses = pair().map((model) => {
      const dtype = model.parameters()[0]!.dtype;
      const [input, target] = [x.cast(dtype), y.cast(dtype)];
      const optimizer = new Adam(model.parameters(), { lr: 0.003 });
      let last = NaN;
      for (let step = 0; step < 50; step++) {
        optimizer.zeroGrad();
        const loss = mseLoss(model.forward(input), target);
        last = loss.item();
        loss.backward();
        optimizer.step();
      }
      return last;
    }) as [number, number];
    expect(Math.abs(losses[0] / losses[1] - 1)).toBeLessThanOrEqual(1e-4);
    expect(losses[0]).toBeLessThan(mseLoss(pair()[0].forward(x), y).item());
  });
});
