/**
 * The models of the benchmark in jax-js, in its WebAssembly backend, which uses one thread in Node, and their training step. Its functions
 * consume their arguments; `.ref` keeps one for another use.
 */
import { blockUntilReady, jit, nn, numpy as np, random, tree, valueAndGrad } from "@jax-js/jax";

let seed = 0;

/** An array whose numbers are there, not to be drawn again with each use. */
const drawn = (array) => np.array(array.ref.dataSync()).reshape(array.shape);

export const normal = (...shape) => drawn(random.normal(random.key(seed++), shape));

const uniform = (bound, ...shape) =>
  drawn(random.uniform(random.key(seed++), shape, { minval: -bound, maxval: bound }));

/** Forward, mean squared error, backward and Adam in one compiled function; a step is done when the new parameters are computed. */
export function training({ parameters, forward }, x, y) {
  const loss = (p, inputs, targets) => np.mean(np.square(forward(p, inputs).sub(targets)));
  const update = jit((p, moments, correction, inputs, targets) => {
    const [value, gradient] = valueAndGrad(loss)(tree.ref(p), inputs, targets);
    const [means, squares] = moments;
    const newMeans = tree.map((m, g) => m.mul(0.9).add(g.mul(0.1)), means, tree.ref(gradient));
    const newSquares = tree.map((s, g) => s.mul(0.999).add(np.square(g).mul(0.001)), squares, gradient);
    const [ofMean, ofSquare] = np.split(correction, 2);
    const moved = tree.map(
      (w, m, s) =>
        w.sub(
          m
            .mul(ofMean.ref)
            .mul(1e-3)
            .div(np.sqrt(s.mul(ofSquare.ref)).add(1e-8)),
        ),
      p,
      tree.ref(newMeans),
      tree.ref(newSquares),
    );
    tree.dispose([ofMean, ofSquare]);
    return [moved, [newMeans, newSquares], value];
  });
  const zeros = () => tree.map((w) => np.zerosLike(w), tree.ref(parameters));
  let state = [parameters, [zeros(), zeros()]];
  let steps = 0;
  /** Returns the loss before the step. */
  return async () => {
    steps += 1;
    const correction = np.array(Float32Array.of(1 / (1 - 0.9 ** steps), 1 / (1 - 0.999 ** steps)));
    const [p, moments, value] = update(...state, correction, x.ref, y.ref);
    state = [p, moments];
    await blockUntilReady(state);
    return value.dataSync()[0];
  };
}

/** Parameters of x W + b. */
const linear = (inputs, outputs, bound = 1 / Math.sqrt(inputs)) => ({
  weight: uniform(bound, inputs, outputs),
  bias: uniform(bound, outputs),
});

const applyLinear = ({ weight, bias }, x) => np.matmul(x, weight).add(bias);

/** A GRU of 64 units over `[rows, steps, 3]`, a linear head of 2 on its last state; the input's product is one for all steps. */
export function recurrent() {
  const [inputs, hidden] = [3, 64];
  const bound = 1 / Math.sqrt(hidden);
  const parameters = {
    ofInput: linear(inputs, 3 * hidden, bound),
    ofState: linear(hidden, 3 * hidden, bound),
    head: linear(hidden, 2),
  };
  const step = (ofState, x, h) => {
    const [xGates, xNew] = np.split(x, [2 * hidden], 1);
    const [hGates, hNew] = np.split(applyLinear(ofState, h.ref), [2 * hidden], 1);
    const [r, z] = np.split(nn.sigmoid(xGates.add(hGates)), 2, 1);
    const candidate = np.tanh(xNew.add(r.mul(hNew)));
    return candidate.ref.add(z.mul(h.sub(candidate)));
  };
  const forward = ({ ofInput, ofState, head }, x) => {
    const [rows] = x.shape;
    let h = np.zeros([rows, hidden]);
    for (const projected of np.unstack(applyLinear(ofInput, x), 1)) h = step(tree.ref(ofState), projected, h);
    tree.dispose(ofState);
    return applyLinear(head, h);
  };
  return { parameters, forward };
}

const layerNorm = (width) => ({ gain: np.ones([width]), bias: np.zeros([width]) });

const applyLayerNorm = ({ gain, bias }, x) => nn.standardize(x, -1, { epsilon: 1e-5 }).mul(gain).add(bias);

/** x Φ(x), by the error function. */
export const gelu = (x) => nn.gelu(x, { approximate: false });

const HEADS = 4;

const block = (width, feedForward) => ({
  attentionNorm: layerNorm(width),
  inward: [0, 1, 2].map(() => linear(width, width)),
  outward: linear(width, width),
  norm: layerNorm(width),
  up: linear(width, feedForward),
  down: linear(feedForward, width),
});

function applyAttention(inward, outward, x) {
  const [rows, steps, width] = x.shape;
  const size = width / HEADS;
  const ofHeads = (projected) => np.transpose(projected.reshape([rows, steps, HEADS, size]), [0, 2, 1, 3]);
  const [q, k, v] = inward.map((projection) => ofHeads(applyLinear(projection, x.ref)));
  x.dispose();
  const weights = nn.softmax(np.matmul(q.mul(1 / Math.sqrt(size)), np.transpose(k, [0, 1, 3, 2])), -1);
  const mixed = np.transpose(np.matmul(weights, v), [0, 2, 1, 3]);
  return applyLinear(outward, mixed.reshape([rows, steps, width]));
}

function applyBlock({ attentionNorm, inward, outward, norm, up, down }, x) {
  const attended = x.ref.add(applyAttention(inward, outward, applyLayerNorm(attentionNorm, x)));
  return attended.ref.add(applyLinear(down, gelu(applyLinear(up, applyLayerNorm(norm, attended)))));
}

/** A pre-norm encoder over `[rows, steps, 4]` with learned positions, two blocks of four heads, a linear head on the last position. */
export function transformer(steps, width, feedForward) {
  const parameters = {
    embed: linear(4, width),
    positions: normal(steps, width).mul(0.02),
    blocks: [block(width, feedForward), block(width, feedForward)],
    norm: layerNorm(width),
    head: linear(width, 1),
  };
  const forward = ({ embed, positions, blocks, norm, head }, x) => {
    let states = applyLinear(embed, x).add(positions);
    for (const part of blocks) states = applyBlock(part, states);
    const last = states.slice([], -1);
    return applyLinear(head, applyLayerNorm(norm, last));
  };
  return { parameters, forward };
}
