/**
 * The rows of the benchmark. `flops` of one step, where they are known, give GFLOP/s and the share of the machine's limit; `aim` is what
 * the project set out to reach: a ratio to a peer, or a bound in the row's unit on a machine whose limit is 38 GFLOP/s.
 * Training is forward, mean squared error, backward and Adam.
 */
const product = (n) => ({ flops: 2 * n ** 3, unit: "GFLOP/s", aim: { atLeast: 35 } });

/** Multiplications and additions of a GRU step for `rows` rows, forward and backward: three products of each kind. */
const gruFlops = ({ rows, steps, hidden, inputs }) => 3 * 2 * rows * steps * 3 * hidden * (hidden + inputs);

/** Of an encoder of `layers` blocks: projections, attention and feed-forward, forward and twice that backward. */
const encoderFlops = ({ rows, steps, width, feedForward, layers }) =>
  3 * layers * rows * 2 * (steps * width * (4 * width + 2 * feedForward) + 2 * steps * steps * width);

export const timed = [
  { name: "matmul-64", title: "matmul 64³", ...product(64) },
  { name: "matmul-256", title: "matmul 256³", ...product(256) },
  { name: "matmul-512", title: "matmul 512³", ...product(512) },
  {
    name: "gru-train",
    title: "GRU train: batch 32, 32 steps, 64 hidden, 3 in",
    unit: "ms",
    flops: gruFlops({ rows: 32, steps: 32, hidden: 64, inputs: 3 }),
    aim: { times: { pytorch: 2, "jax-js": 20, "tfjs-wasm": 20 } },
  },
  {
    name: "gru-rank2-train",
    title: "the same, 8×8 state cut to rank 2 each step (here with the moment projection)",
    unit: "ms",
    aim: { times: { pytorch: 6 } },
  },
  {
    name: "transformer-train",
    title: "transformer train: batch 32, 64 steps, 32 wide, 4 heads, 2 layers, feed-forward 64",
    unit: "ms",
    flops: encoderFlops({ rows: 32, steps: 64, width: 32, feedForward: 64, layers: 2 }),
    aim: { times: { pytorch: 2 } },
  },
  {
    name: "transformer-wide-train",
    title: "the same, 128 steps, 64 wide, feed-forward 128",
    unit: "ms",
    flops: encoderFlops({ rows: 32, steps: 128, width: 64, feedForward: 128, layers: 2 }),
    aim: { times: { pytorch: 0.85 } },
  },
  { name: "exp", title: "exp of 10⁶", unit: "ms", aim: { atMost: 1.2 } },
  { name: "tanh", title: "tanh of 10⁶", unit: "ms", aim: { atMost: 1.2 } },
  { name: "gelu", title: "gelu of 10⁶", unit: "ms", aim: { atMost: 1.2 } },
  { name: "softmax", title: "softmax of 1000 rows of 1000", unit: "ms", aim: { atMost: 1.2 } },
  { name: "recorded-add", title: "a + b of 4 elements, recorded", unit: "µs", aim: { atMost: 0.6 } },
  {
    name: "backward-adds",
    title: "forward and backward through 1000 adds",
    unit: "ms",
    aim: { atMost: 0.5 },
  },
];

/** Rows that are whole processes. */
export const processes = [
  {
    name: "start",
    title: "process start to first gradient, above an empty process of the same kind",
    unit: "ms",
    aim: { atMost: 30 },
  },
  { name: "memory", title: "peak memory of 2000 GRU training steps", unit: "MB", aim: { atMost: 120 } },
];

/** The GFLOP/s of the machine for which aims in milliseconds are stated. */
export const statedLimit = 38;
