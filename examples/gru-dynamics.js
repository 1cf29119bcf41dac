// @ts-check
/**
 * A recurrent network that foretells two oscillators: node examples/gru-dynamics.js
 *
 * The track `dynamics`: 32 noisy readings of both positions, and where the two will be five readings later. Beside the network stand
 * the floors, predictors without any network. One that a network does not beat says that nothing was learned that was not known
 * before; with few series and epochs, ridge regression is such a floor.
 */
import { generator, noGrad, scope, tensor } from "gradstand";
import { tracks } from "gradstand/bench";
import { Adam, GRU, Linear, Module, mseLoss } from "gradstand/nn";

/** @import { Tensor } from "gradstand" */

const track = /** @type {import("gradstand/bench").Track} */ (tracks.get("dynamics"));
const { steps, features } = track.input;

/** A GRU with 64 units, and a linear head on its last state: `[batch, 32, 2]` → `[batch, 2]`. */
export class Forecaster extends Module {
  /** @param {number} seed */
  constructor(seed) {
    super();
    const rng = generator(seed);
    this.gru = new GRU(features, 64, { rng: rng.stream("gru") });
    this.head = new Linear(64, track.outputs, { rng: rng.stream("head") });
  }

  /** @param {Tensor} x */
  forward(x) {
    return this.head.forward(this.gru.forward(x).hidden.slice([0]));
  }
}

/**
 * @param {number} seed
 * @param {{ train: number, test: number }} sizes
 */
export const makeData = (seed, sizes) => track.make(seed, sizes);

/** The series that the program trains on and is tried on. */
export const programData = () => makeData(0, { train: 1000, test: 500 });

/**
 * The floors in words.
 *
 * @param {import("gradstand/bench").TrackData} data
 */
export const floorLines = (data) =>
  track.floors(data).map(({ name, value }) => `floor "${name}": ${value.toFixed(4)}`);

/** @param {import("gradstand/bench").Split} split */
const tensors = ({ count, x, y }) => ({
  x: tensor(x, { shape: [count, steps, features] }),
  y: tensor(y, { shape: [count, track.outputs] }),
});

/**
 * @param {Forecaster} model
 * @param {import("gradstand/bench").Split} split
 */
export function meanSquaredError(model, split) {
  const { x, y } = tensors(split);
  return noGrad(() => scope(() => mseLoss(model.forward(x), y).item()));
}

/**
 * Adam on batches of 32 in a new order each epoch; yields the mean loss of every epoch.
 *
 * @param {Forecaster} model
 * @param {import("gradstand/bench").Split} split
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
      const loss = optimizer.step(() => mseLoss(model.forward(x.gather(chosen)), y.gather(chosen)));
      sum += loss.item() * chosen.size;
    }
    yield sum / split.count;
  }
}

if (process.argv[1] === import.meta.filename) {
  const data = programData();
  const model = new Forecaster(0);
  let epoch = 0;
  for (const loss of train(model, data.train, { epochs: 20, rate: 0.006, seed: 0 }))
    console.log(`epoch ${String(++epoch).padStart(2)}   training loss ${loss.toFixed(4)}`);
  console.log(`\nGRU, on series it has not seen: ${meanSquaredError(model, data.test).toFixed(4)}`);
  for (const line of floorLines(data)) console.log(line);
}
