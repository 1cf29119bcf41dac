// @ts-check
/**
 * A network that bends a line: node examples/two-moons.js
 *
 * Two half circles lie in each other, so no straight line parts them. A perceptron with two hidden layers learns to; the logistic
 * regression beside it, the same thing without hidden layers, cannot. The map shows what the network thinks of each place.
 */
import { argmax, generator, noGrad, tensor } from "gradstand";
import { Adam, crossEntropy, Linear, Sequential } from "gradstand/nn";

/** @import { Tensor } from "gradstand" */

/**
 * `count` points, each half circle in turn, with noise of standard deviation 0.1.
 *
 * @param {number} seed
 * @param {number} count
 */
export function moons(seed, count) {
  const rng = generator(seed);
  const x = new Float32Array(2 * count);
  const y = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const [angle, upper] = [Math.PI * rng.uniform(), i % 2 === 0];
    const [dx, dy] = rng.normals(2, 0, 0.1);
    x[2 * i] = (upper ? Math.cos(angle) : 1 - Math.cos(angle)) + dx;
    x[2 * i + 1] = (upper ? Math.sin(angle) : 0.5 - Math.sin(angle)) + dy;
    y[i] = upper ? 0 : 1;
  }
  return { x: tensor(x, { shape: [count, 2] }), y: tensor(y) };
}

/** @param {number} seed */
export function perceptron(seed) {
  const rng = generator(seed);
  return new Sequential([
    new Linear(2, 16, { rng: rng.stream("first") }),
    (h) => h.tanh(),
    new Linear(16, 16, { rng: rng.stream("second") }),
    (h) => h.tanh(),
    new Linear(16, 2, { rng: rng.stream("head") }),
  ]);
}

/** @param {number} seed */
export const logisticRegression = (seed) => new Sequential([new Linear(2, 2, { rng: generator(seed) })]);

/**
 * @param {Sequential} network
 * @param {{ x: Tensor, y: Tensor }} data
 * @param {number} steps
 */
export function train(network, { x, y }, steps) {
  const optimizer = new Adam(network.parameters(), { lr: 0.02 });
  const losses = [];
  for (let step = 0; step < steps; step++)
    losses.push(optimizer.step(() => crossEntropy(network.forward(x), y)).item());
  return losses;
}

/**
 * The share of points that are given their own moon.
 *
 * @param {Sequential} network
 * @param {{ x: Tensor, y: Tensor }} data
 */
export function accuracy(network, { x, y }) {
  return noGrad(() => argmax(network.forward(x), -1).equal(y).cast("float32").mean().item());
}

/** The plane from (−1.5, −1) to (2.5, 1.5), one character a place. @param {Sequential} network */
export function map(network) {
  const [columns, rows] = [64, 20];
  const places = Array.from({ length: rows * columns }, (_, i) => [
    -1.5 + (4 * ((i % columns) + 0.5)) / columns,
    1.5 - (2.5 * (Math.floor(i / columns) + 0.5)) / rows,
  ]);
  const classes = noGrad(() => argmax(network.forward(tensor(places)), -1)).values();
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => ".#"[classes[row * columns + column]]).join(""),
  ).join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const [seen, unseen] = [moons(0, 200), moons(1, 1000)];
  for (const [name, network] of /** @type {const} */ ([
    ["logistic regression", logisticRegression(0)],
    ["perceptron", perceptron(0)],
  ])) {
    const losses = train(network, seen, 300);
    const share = (100 * accuracy(network, unseen)).toFixed(1);
    console.log(
      `${name}: loss ${losses[0].toFixed(3)} → ${losses[299].toFixed(3)}, right on ${share} % of unseen points`,
    );
    console.log(`${map(network)}\n`);
  }
}
