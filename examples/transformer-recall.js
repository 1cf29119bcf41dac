// @ts-check
/**
 * Where a transformer looks: node examples/transformer-recall.js
 *
 * The track `recall`: pairs of a key and a value, then one of the keys, whose value is to be named. The value stands nowhere but in
 * its pair, so a model has to find it: the last position must look at the position with the same key, which is what attention does.
 * The example trains a transformer of two layers and prints where its last position looks.
 */
import { generator, noGrad, scope, tensor } from "gradstand";
import { tracks } from "gradstand/bench";
import { Adam, crossEntropy, Embedding, LayerNorm, Linear, Module, TransformerBlock } from "gradstand/nn";

/** @import { Tensor } from "gradstand" */
/** @import { Split, TokenInput, Track, TrackData } from "gradstand/bench" */

export const track = /** @type {Track} */ (tracks.get("recall"));
const { steps, features, vocabulary } = /** @type {TokenInput} */ (track.input);
const width = 32;

/** Tokens `[batch, steps, 2]` → logits of the classes. */
export class Recaller extends Module {
  /** @param {number} seed */
  constructor(seed) {
    super();
    const rng = generator(seed);
    this.embed = new Embedding(vocabulary, width, { rng: rng.stream("embed") });
    /** @param {string} name */
    const block = (name) => new TransformerBlock(width, { heads: 4, feedForward: 64, rng: rng.stream(name) });
    this.first = block("first");
    this.second = block("second");
    this.norm = new LayerNorm(width);
    this.head = new Linear(width, track.outputs, { rng: rng.stream("head") });
  }

  /** @param {Tensor} tokens */
  forward(tokens) {
    const pairs = this.embed.forward(tokens).sum(2);
    const states = this.second.forward(this.first.forward(pairs));
    return this.head.forward(this.norm.forward(states).slice([[0, states.shape[0]], steps - 1]));
  }
}

/** The series that the program trains on and is tried on. */
export const programData = () => track.make(0, { train: 2000, test: 500 });

/**
 * The floors in words.
 *
 * @param {TrackData} data
 */
export const floorLines = (data) =>
  track.floors(data).map(({ name, value }) => `floor "${name}": ${(100 * value).toFixed(1)} %`);

/** @param {Split} split */
const tensors = ({ count, x, y }) => ({
  x: tensor(Int32Array.from(x), { shape: [count, steps, features] }),
  y: tensor(Int32Array.from(y), { shape: [count] }),
});

/**
 * Adam on batches of 32 in a new order each epoch; yields the mean loss of every epoch.
 *
 * @param {Recaller} model
 * @param {Split} split
 * @param {{ epochs: number, rate: number, seed: number }} options
 */
export function* train(model, split, { epochs, rate, seed }) {
  const { x, y } = tensors(split);
  const optimizer = new Adam(model.parameters(), { lr: rate });
  const rng = generator(seed).stream("batches");
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = rng.permutation(split.count);
    let sum = 0;
    for (let at = 0; at < split.count; at += 32) {
      const chosen = tensor(order.slice(at, at + 32));
      const loss = optimizer.step(() => crossEntropy(model.forward(x.gather(chosen)), y.gather(chosen)));
      sum += loss.item() * chosen.size;
    }
    yield sum / split.count;
  }
}

/**
 * The share of series whose value the model names.
 *
 * @param {Recaller} model
 * @param {Split} split
 */
export function accuracy(model, split) {
  const { x, y } = tensors(split);
  return noGrad(() => scope(() => model.forward(x).argmax(-1).equal(y).cast("float32").mean().item()));
}

/**
 * What the last position of a series looks at in the first layer: for each head softmax(q·kᵀ/√d) over all positions.
 *
 * @param {Recaller} model
 * @param {Split} split
 * @param {number} series
 */
export function lookedAt(model, split, series) {
  /** @type {number[][]} */
  let weights = [];
  model.first.self_attn.onHeads = (q, k) => {
    const last = q.slice([
      [0, 1],
      [0, q.shape[1]],
      [steps - 1, steps],
    ]);
    const scores = last.matmul(k.transpose()).mul(1 / Math.sqrt(q.shape[3]));
    weights = scores
      .softmax(-1)
      .squeeze()
      .split(q.shape[1])
      .map((head) => [...head.values()]);
  };
  try {
    noGrad(() => model.forward(tensors(split).x.slice([[series, series + 1]])));
  } finally {
    model.first.self_attn.onHeads = undefined;
  }
  return weights;
}

/**
 * The position that holds the key which the last position of a series asks for.
 *
 * @param {Split} split
 * @param {number} series
 */
export function askedFor({ x }, series) {
  const at = series * steps * features;
  const key = x[at + (steps - 1) * features];
  return Array.from({ length: steps - 1 }, (_, pair) => x[at + pair * features]).indexOf(key);
}

if (process.argv[1] === import.meta.filename) {
  const data = programData();
  const model = new Recaller(0);
  let epoch = 0;
  for (const loss of train(model, data.train, { epochs: 20, rate: 0.01, seed: 0 }))
    console.log(`epoch ${String(++epoch).padStart(2)}   training loss ${loss.toFixed(3)}`);
  console.log(
    `\nTransformer, right on ${(100 * accuracy(model, data.test)).toFixed(1)} % of series it has not seen`,
  );
  for (const line of floorLines(data)) console.log(line);

  console.log("\nWhere the last position looks, by head (░▒▓█), with the pair it asks for marked:");
  for (let series = 0; series < 3; series++) {
    const asked = askedFor(data.test, series);
    console.log(`  ${" ".repeat(asked)}↓`);
    for (const head of lookedAt(model, data.test, series))
      console.log(`  ${head.map((weight) => " ░▒▓█"[Math.min(4, Math.floor(5 * weight))]).join("")}`);
  }
}
