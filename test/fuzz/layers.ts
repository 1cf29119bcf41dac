import { Tensor, zeros } from "../../src/autograd/index.js";
import * as nn from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import type { Draw } from "./draw.js";
import type { FuzzSubject, FuzzSubjects } from "./subject.js";

type Construct = new (...args: unknown[]) => { forward: (...args: unknown[]) => unknown };
const constructor = (name: string): Construct => (nn as unknown as Record<string, Construct>)[name]!;
const size = (d: Draw): unknown => d.maybe(d.int(1, 4), 0.05);
/** Options with a stream, which is seldom missing or wrong. */
const init = (d: Draw, rest: Readonly<Record<string, unknown>> = {}): unknown => {
  if (d.chance(0.05)) return d.hostile();
  const entries = Object.entries({ dtype: d.pick(["float32", "float64"]), bias: d.chance(0.7), ...rest });
  const given = entries.filter(() => d.chance(0.5)).map(([name, value]) => [name, d.maybe(value, 0.08)]);
  return {
    ...Object.fromEntries(given),
    ...(d.chance(0.05) ? {} : { rng: d.maybe(generator("fuzz"), 0.04) }),
  };
};
const x = (d: Draw, ...shape: unknown[]): unknown =>
  d.maybe(
    d.chance(0.1)
      ? d.tensor()
      : d.tensor(
          shape.map((n) => (typeof n === "number" && n >= 0 && n < 9 ? Math.floor(n) : 2)),
          { dtypes: ["float32", "float32", "float64"] },
        ),
    0.06,
  );

/** A layer: the arguments of its constructor, and those of its forward pass. */
const layer = (name: string, args: (d: Draw) => readonly [unknown[], unknown[]]): FuzzSubject => ({
  args: (d) => [...args(d)],
  run: ([made, given]) => new (constructor(name))(...(made as unknown[])).forward(...(given as unknown[])),
});
const masks = (d: Draw, batch: number, n: number): unknown =>
  d.options({
    attnMask: d.tensor([n, n], { dtypes: ["bool"] }),
    keyPaddingMask: d.tensor([batch, n], { dtypes: ["bool"] }),
    causal: d.chance(0.5),
  });
const reduction = (d: Draw, rest: Readonly<Record<string, unknown>> = {}): unknown =>
  d.options({ reduction: d.pick(["mean", "sum", "none"]), ...rest });
const pair = (d: Draw): unknown[] => {
  const t = d.tensor();
  return [d.maybe(t), d.maybe(d.tensor(d.chance(0.1) ? d.shape() : t.shape))];
};
const leaf = (d: Draw): Tensor => {
  const p = zeros([2], { requiresGrad: true });
  if (d.chance(0.7)) p.grad = zeros([2]).add(1);
  return p;
};
const optimizer = (name: string, rest: Readonly<Record<string, unknown>>): FuzzSubject => ({
  args: (d) => [
    d.maybe([d.maybe(leaf(d), 0.08)], 0.1),
    d.options({ lr: d.maybe(0.1, 0.1), weightDecay: 0.1, ...rest }, 0.3),
    d.chance(0.7) ? undefined : d.hostile(),
    d.hostile(),
  ],
  run: ([parameters, options, step, state]) => {
    const made = new (
      constructor(name) as unknown as new (...args: unknown[]) => {
        step(f?: unknown): void;
        loadStateDict(s: unknown): void;
        stateDict(): unknown;
      }
    )(parameters, options);
    if (step === undefined) made.step();
    else made.step(step);
    made.loadStateDict(made.stateDict());
    made.loadStateDict(state);
  },
});
const schedule = (names: Readonly<Record<string, unknown>>, name: string): FuzzSubject => ({
  args: (d) => [d.maybe(0.1, 0.2), d.options(names, 0.1), d.maybe(d.int(0, 9), 0.3)],
  run: ([lr, options, step]) =>
    (nn as never as Record<string, (...args: unknown[]) => (step: unknown) => unknown>)[name]!(
      lr,
      options,
    )(step),
});

export const layers: FuzzSubjects = {
  Linear: layer("Linear", (d) => { const n = size(d); return [[n, size(d), init(d)], [x(d, ...d.shape(0, 2), n)]]; }),
  LayerNorm: layer("LayerNorm", (d) => { const n = size(d); return [[n, d.options({ eps: d.number(), affine: d.chance(0.7) })], [x(d, ...d.shape(0, 2), n)]]; }),
  Embedding: layer("Embedding", (d) => [[size(d), size(d), init(d)], [d.maybe(d.tensor(undefined, { dtypes: ["int32"], plain: true }).mul(0), 0.1)]]),
  PositionEmbedding: layer("PositionEmbedding", (d) => { const n = size(d); return [[size(d), n, init(d, { std: d.number() })], [x(d, 1, d.int(0, 4), n)]]; }),
  Dropout: layer("Dropout", (d) => [[init(d, { p: d.pick([0, 0.5, 1, 2]) })], [x(d, 2, 3)]]),
  Sequential: layer("Sequential", (d) => [[d.maybe([d.maybe((t: unknown) => (t instanceof Tensor ? t.mul(2) : t)), d.maybe(new nn.Linear(3, 3, { rng: generator("s") }))], 0.1)], [x(d, 2, 3)]]),
  GRU: layer("GRU", (d) => { const [n, m] = [size(d), size(d)]; return [[n, m, init(d, { reset: d.pick(["after", "before"]), numLayers: d.int(1, 2), onStep: (h: Tensor) => d.maybe(h) })], [x(d, 2, d.int(0, 3), n), d.chance(0.6) ? undefined : x(d, 1, 2, m)]]; }),
  GRUCell: layer("GRUCell", (d) => { const [n, m] = [size(d), size(d)]; return [[n, m, init(d, { reset: d.pick(["after", "before"]) })], [x(d, 2, n), d.chance(0.6) ? undefined : x(d, 2, m)]]; }),
  MultiHeadAttention: layer("MultiHeadAttention", (d) => [[d.maybe(4), d.maybe(d.pick([1, 2, 4, 3])), init(d, { dropout: { p: 0.5, rng: generator("d") }, attention: (q: Tensor) => d.maybe(q) })], [x(d, 2, 3, 4), d.chance(0.5) ? masks(d, 2, 3) : d.options({ key: x(d, 2, 3, 4), value: x(d, 2, 3, 4) })]]),
  TransformerBlock: layer("TransformerBlock", (d) => [[d.maybe(4), init(d, { heads: d.pick([1, 2]), feedForward: size(d), activation: d.pick(["relu", "gelu"]), eps: d.number() })], [x(d, 2, 3, 4), masks(d, 2, 3)]]),
  KeyValueCache: { args: (d) => [x(d, 1, 2, d.int(1, 2), 2), x(d, 1, 2, 1, 2), x(d, 1, 2, 1, d.int(0, 2))], run: ([q, k, v]) => { const cache = new nn.KeyValueCache(); cache.step(q as Tensor, k as Tensor, v as Tensor); return cache.step(q as Tensor, v as Tensor, k as Tensor); } },
  attention: { args: (d) => [x(d, 1, 2, d.int(0, 3), 2), x(d, 1, 2, 3, 2), x(d, 1, 2, 3, d.int(0, 2)), d.chance(0.5) ? masks(d, 1, 3) : d.options({ weigh: (w: Tensor) => d.maybe(w) })] },
  crossEntropy: { args: (d) => { const [n, c] = [d.int(0, 4), d.int(0, 4)]; return [x(d, n, c), d.maybe(d.tensor([n], { dtypes: ["int32"], plain: true }).abs(), 0.06), reduction(d, { ignoreIndex: d.int(-3, 3), labelSmoothing: d.pick([0, 0.1, 1]) })]; } },
  mseLoss: { args: (d) => [...pair(d), reduction(d)] },
  l1Loss: { args: (d) => [...pair(d), reduction(d)] },
  huberLoss: { args: (d) => [...pair(d), reduction(d, { delta: d.number() })] },
  Adam: optimizer("Adam", { betas: [0.9, 0.99], eps: 1e-8 }),
  AdamW: optimizer("AdamW", { betas: [0.9, 0.99], eps: 1e-8 }),
  SGD: optimizer("SGD", { momentum: 0.9, dampening: 0, nesterov: true }),
  Optimizer: { args: (d) => [d.maybe([leaf(d)], 0.3), d.maybe(0.1, 0.3)], run: ([p, lr]) => new (class extends (nn.Optimizer as unknown as new (...args: unknown[]) => object) {})("mine", p, lr, 0) },
  clipGradNorm: { args: (d) => [d.maybe([d.maybe(leaf(d))], 0.1), d.maybe(1, 0.2)] },
  warmup: schedule({ steps: 5 }, "warmup"),
  cosine: schedule({ steps: 5, floor: 0.01 }, "cosine"),
  warmupCosine: schedule({ warmup: 2, steps: 5, floor: 0.01 }, "warmupCosine"),
  Parameter: { args: (d) => [d.maybe(d.tensor(), 0.3)], run: ([t]) => new nn.Parameter(t as Tensor) },
  encodeSafetensors: { args: (d) => [d.maybe({ a: d.tensor(), b: d.tensor() }, 0.2), d.maybe({ made: "by" }, 0.3)] },
  decodeSafetensors: { args: (d) => [d.maybe(nn.encodeSafetensors({ a: d.tensor() }).subarray(0, d.pick([7, 40, 1e6])), 0.2)] },
  Module: { args: (d) => [d.pick(["loadStateDict", "train", "to", "stateDict"]), d.hostile()], run: ([name, given]) => { const made = new nn.Linear(2, 2, { rng: generator("m") }) as never as Record<string, (g: unknown) => unknown>; return made[name as string]!(given); } },
}; // prettier-ignore
