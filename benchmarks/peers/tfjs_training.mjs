/** The models of the benchmark in TensorFlow.js, in its WebAssembly backend with SIMD and one thread, and their training step. */
import * as tf from "@tensorflow/tfjs-core";
import { setThreadsCount } from "@tensorflow/tfjs-backend-wasm";
/* What the core's build for Node lacks, and the package of layers brings: the gradients of the operations. */
import "@tensorflow/tfjs-layers";

setThreadsCount(1);
await tf.setBackend("wasm");
await tf.ready();
if (!(await tf.env().getAsync("WASM_HAS_SIMD_SUPPORT")))
  throw new Error("no SIMD for WebAssembly in this Node");

export const normal = (...shape) => tf.randomNormal(shape);

const uniform = (bound, ...shape) => tf.variable(tf.randomUniform(shape, -bound, bound));
const constant = (value, ...shape) => tf.variable(tf.fill(shape, value));

/**
 * Forward, mean squared error, backward, Adam; `minimize` frees what it makes, all but the loss. This backend computes each operation
 * when it is called, so nothing is left to be waited for.
 */
export function training({ parameters, forward }, x, y) {
  const optimizer = tf.train.adam(1e-3);
  const loss = () => tf.mean(tf.squaredDifference(forward(x), y));
  return () => optimizer.minimize(loss, false, parameters)?.dispose();
}

/** x W + b over the last axis. */
function linear(inputs, outputs, bound = 1 / Math.sqrt(inputs)) {
  const [weight, bias] = [uniform(bound, inputs, outputs), uniform(bound, outputs)];
  const forward = (x) => {
    const rows = x.rank === 2 ? x : tf.reshape(x, [-1, inputs]);
    const y = tf.add(tf.matMul(rows, weight), bias);
    return x.rank === 2 ? y : tf.reshape(y, [...x.shape.slice(0, -1), outputs]);
  };
  return { parameters: [weight, bias], forward };
}

/** A GRU of 64 units over `[rows, steps, 3]`, a linear head of 2 on its last state; the input's product is one for all steps. */
export function recurrent() {
  const [inputs, hidden] = [3, 64];
  const bound = 1 / Math.sqrt(hidden);
  const ofInput = linear(inputs, 3 * hidden, bound);
  const ofState = linear(hidden, 3 * hidden, bound);
  const head = linear(hidden, 2);
  const step = (x, h) => {
    const [xGates, xNew] = tf.split(x, [2 * hidden, hidden], 1);
    const [hGates, hNew] = tf.split(ofState.forward(h), [2 * hidden, hidden], 1);
    const [r, z] = tf.split(tf.sigmoid(tf.add(xGates, hGates)), 2, 1);
    const candidate = tf.tanh(tf.add(xNew, tf.mul(r, hNew)));
    return tf.add(candidate, tf.mul(z, tf.sub(h, candidate)));
  };
  const forward = (x) => {
    let h = tf.zeros([x.shape[0], hidden]);
    for (const projected of tf.unstack(ofInput.forward(x), 1)) h = step(projected, h);
    return head.forward(h);
  };
  return { parameters: [ofInput, ofState, head].flatMap(({ parameters }) => parameters), forward };
}

function layerNorm(width) {
  const [gain, bias] = [constant(1, width), constant(0, width)];
  const forward = (x) => {
    const { mean, variance } = tf.moments(x, -1, true);
    const scaled = tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, 1e-5)));
    return tf.add(tf.mul(scaled, gain), bias);
  };
  return { parameters: [gain, bias], forward };
}

/** x Φ(x), by the error function. */
export function gelu(x) {
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));
}

/** Three projections, because this backend transposes arrays of four axes and fewer a hundred times faster than those of five. */
function attention(width, heads) {
  const inward = [0, 1, 2].map(() => linear(width, width));
  const outward = linear(width, width);
  const size = width / heads;
  const forward = (x) => {
    const [rows, steps] = x.shape;
    const [q, k, v] = inward.map((projection) =>
      tf.transpose(tf.reshape(projection.forward(x), [rows, steps, heads, size]), [0, 2, 1, 3]),
    );
    const weights = tf.softmax(tf.matMul(tf.mul(q, 1 / Math.sqrt(size)), k, false, true));
    const mixed = tf.transpose(tf.matMul(weights, v), [0, 2, 1, 3]);
    return outward.forward(tf.reshape(mixed, [rows, steps, width]));
  };
  return { parameters: [...inward, outward].flatMap(({ parameters }) => parameters), forward };
}

function block(width, feedForward) {
  const parts = {
    attentionNorm: layerNorm(width),
    attention: attention(width, 4),
    norm: layerNorm(width),
    up: linear(width, feedForward),
    down: linear(feedForward, width),
  };
  const forward = (x) => {
    const attended = tf.add(x, parts.attention.forward(parts.attentionNorm.forward(x)));
    const fed = parts.down.forward(gelu(parts.up.forward(parts.norm.forward(attended))));
    return tf.add(attended, fed);
  };
  return { parameters: Object.values(parts).flatMap(({ parameters }) => parameters), forward };
}

/** A pre-norm encoder over `[rows, steps, 4]` with learned positions, two blocks of four heads, a linear head on the last position. */
export function transformer(steps, width, feedForward) {
  const embed = linear(4, width);
  const positions = tf.variable(tf.randomNormal([steps, width], 0, 0.02));
  const blocks = [block(width, feedForward), block(width, feedForward)];
  const [norm, head] = [layerNorm(width), linear(width, 1)];
  const forward = (x) => {
    let states = tf.add(embed.forward(x), positions);
    for (const { forward } of blocks) states = forward(states);
    const last = tf.reshape(tf.slice(states, [0, steps - 1, 0], [-1, 1, -1]), [-1, width]);
    return head.forward(norm.forward(last));
  };
  return {
    parameters: [positions, ...[embed, ...blocks, norm, head].flatMap(({ parameters }) => parameters)],
    forward,
  };
}
