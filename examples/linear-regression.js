// @ts-check
/**
 * Linear regression by hand: node examples/linear-regression.js
 *
 * Gradient descent on L = mean (x·w + b − y)², once with gradients worked out on paper and once with the library's. Both walk the
 * same path, and end where the normal equations say that the minimum is.
 */
import { generator, randomNormal, valueAndGrad, zeros } from "gradstand";

/** @import { Tensor } from "gradstand" */

const count = 64;
const truth = { w: [2, -1, 0.5], b: 0.3 };

/** Three inputs, one target with a little noise, from a seed. @param {number} seed */
export function makeData(seed) {
  const rng = generator(seed);
  const x = randomNormal(rng, [count, 3], { dtype: "float64" });
  const noise = randomNormal(rng, [count], { std: 0.1, dtype: "float64" });
  const y = x.mul(truth.w).sum(1).add(truth.b).add(noise);
  return { x, y };
}

/** @typedef {{ w: Tensor, b: Tensor }} Line */

/**
 * @param {Line} line
 * @param {{ x: Tensor, y: Tensor }} data
 */
export const loss = ({ w, b }, { x, y }) => x.matmul(w).add(b).sub(y).pow(2).mean();

/**
 * ∂L/∂w = 2/n · xᵀ(x·w + b − y), ∂L/∂b = 2/n · Σ (x·w + b − y).
 *
 * @param {Line} line
 * @param {{ x: Tensor, y: Tensor }} data
 * @returns {Line}
 */
export function gradientByHand({ w, b }, { x, y }) {
  const error = x.matmul(w).add(b).sub(y);
  return {
    w: x
      .transpose()
      .matmul(error)
      .mul(2 / count),
    b: error.sum().mul(2 / count),
  };
}

/**
 * The library's gradient of the same loss.
 *
 * @param {Line} line
 * @param {{ x: Tensor, y: Tensor }} data
 * @returns {Line}
 */
export const gradientByLibrary = (line, data) =>
  /** @type {Line} */ (valueAndGrad((/** @type {Line} */ at) => loss(at, data))(line).gradient);

/**
 * Steps against the gradient from zero.
 *
 * @param {{ x: Tensor, y: Tensor }} data
 * @param {typeof gradientByHand} gradient
 * @param {{ steps?: number, rate?: number }} [options]
 */
export function descend(data, gradient, { steps = 200, rate = 0.1 } = {}) {
  /** @type {Line} */
  let line = { w: zeros([3], { dtype: "float64" }), b: zeros([], { dtype: "float64" }) };
  const losses = [];
  for (let step = 0; step < steps; step++) {
    losses.push(loss(line, data).item());
    const { w, b } = gradient(line, data);
    line = { w: line.w.sub(w.mul(rate)), b: line.b.sub(b.mul(rate)) };
  }
  return { line, losses };
}

if (process.argv[1] === import.meta.filename) {
  const data = makeData(0);
  const byHand = descend(data, gradientByHand);
  const byLibrary = descend(data, gradientByLibrary);
  for (const step of [0, 1, 2, 5, 10, 50, 199])
    console.log(
      `step ${String(step).padStart(3)}   loss by hand ${byHand.losses[step].toFixed(6)}   by the library ${byLibrary.losses[step].toFixed(6)}`,
    );
  console.log(`w = ${String(byLibrary.line.w)}, made with ${truth.w}`);
  console.log(`b = ${byLibrary.line.b.item().toFixed(4)}, made with ${truth.b}`);
}
