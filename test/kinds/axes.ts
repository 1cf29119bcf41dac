import { expect } from "vitest";
import {
  concat,
  einsum,
  gradcheck,
  gradients,
  matmul,
  stack,
  tensor,
  where,
  type Tensor,
} from "../../src/autograd/index.js";
import {
  attention,
  Embedding,
  GRU,
  LayerNorm,
  Linear,
  MultiHeadAttention,
  PositionEmbedding,
  TransformerBlock,
  type Layer,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { closeness, expectSame, leafOf, numbers, type Kind, type Place } from "./place.js";

type Along = (x: Tensor, axis: number) => Tensor;

/** Everything that takes one axis, with whether it keeps the axis. */
const alongAxis: Readonly<Record<string, readonly [f: Along, keeps: boolean]>> = {
  cumsum: [(x, axis) => x.cumsum(axis), true],
  cumprod: [(x, axis) => x.cumprod(axis), true],
  softmax: [(x, axis) => x.softmax(axis), true],
  logSoftmax: [(x, axis) => x.logSoftmax(axis), true],
  normalize: [(x, axis) => x.normalize({ axis }), true],
  flip: [(x, axis) => x.flip(axis), true],
  sum: [(x, axis) => x.sum(axis), false],
  mean: [(x, axis) => x.mean(axis), false],
  max: [(x, axis) => x.max(axis), false],
  min: [(x, axis) => x.min(axis), false],
  prod: [(x, axis) => x.prod(axis), false],
  norm: [(x, axis) => x.norm(axis), false],
  logsumexp: [(x, axis) => x.logsumexp(axis), false],
  variance: [(x, axis) => x.variance(axis), false],
  std: [(x, axis) => x.std(axis), false],
  "sum, kept": [(x, axis) => x.sum(axis, { keepDims: true }), true],
  "max, kept": [(x, axis) => x.max([axis], { keepDims: true }), true],
  "norm, kept": [(x, axis) => x.norm([axis], { keepDims: true }), true],
  gather: [(x, axis) => x.gather([2, 0, 0, 1], axis), true],
  takeAlongAxis: [(x, axis) => x.takeAlongAxis(x.detach().mul(0).cast("int32").add(1), axis), true],
  scatterAdd: [(x, axis) => x.scatterAdd([1, 1, 0], x.square().slice(first(x, axis, 3)), axis), true],
  split: [(x, axis) => x.split([2, x.shape.at(axis)! - 2], axis)[0]!, true],
  slice: [(x, axis) => x.slice(first(x, axis, 2)), true],
  "slice backwards": [
    (x, axis) => x.slice(x.shape.map((_, i) => (i === (axis + x.rank) % x.rank ? [null, null, -2] : null))),
    true,
  ],
  pad: [
    (x, axis) =>
      x.pad(
        x.shape.map((_, i) => (i === (axis + x.rank) % x.rank ? [1, 2] : [0, 0])),
        1,
      ),
    true,
  ],
  concat: [(x, axis) => concat([x, x.square(), x.slice(first(x, axis, 1))], axis), true],
  "unsqueeze and squeeze": [(x, axis) => x.unsqueeze(axis).squeeze(axis), true],
  "sum of a stack": [
    (x, axis) => stack([x, x.square()], axis < 0 ? axis - 1 : axis).sum(axis < 0 ? axis - 1 : axis),
    true,
  ],
};

function first(x: Tensor, axis: number, count: number): (readonly [number, number] | null)[] {
  return x.shape.map((_, i) => (i === (axis + x.rank) % x.rank ? [0, count] : null));
}

/** f along each axis is f along the last one of the tensor turned so, in value and gradient. */
function sameOnEveryAxis([f, keeps]: readonly [Along, boolean]): (at: Place) => void {
  return (at) => {
    const shape = at.copies === 1 ? [3, 4, 5] : [4, 9, 7];
    for (let axis = -3; axis < 3; axis++) {
      const x = leafOf("axes", shape, at.dtype);
      const z = leafOf("axes", shape, at.dtype);
      const direct = f(x, axis);
      const turned = f(z.transpose(axis, -1), -1);
      const back = keeps ? turned.transpose(axis, -1) : turnBack(turned, (axis + 3) % 3);
      const cotangent = numbers("cotangent", direct.shape, at.dtype);
      expectSame(direct, back, 20 * closeness(at));
      const [g] = gradients(direct, [x], { cotangents: [cotangent] });
      const [h] = gradients(back, [z], { cotangents: [cotangent] });
      expectSame(g, h, 20 * closeness(at));
    }
  };
}

/** The axes of a `[3, 4, 5]` whose last was exchanged with `axis` and then reduced, in their own order. */
function turnBack(x: Tensor, axis: number): Tensor {
  return axis === 0 ? x.transpose(0, 1) : x;
}

type Shared = (batch: Tensor, shared: Tensor) => Tensor;

/** The cotangent of an operand that a batch shares is the sum of what its copies for the single entries receive. */
function sharedSum(f: Shared, entry: readonly number[], shared: readonly number[]): (at: Place) => void {
  return (at) => {
    const batch = at.copies === 1 ? 3 : 17;
    const x = leafOf("batch", [batch, ...entry], at.dtype);
    const w = leafOf("shared", shared, at.dtype);
    const y = f(x, w);
    const cotangent = numbers("cotangent", y.shape, at.dtype);
    const [gx, gw] = gradients(y, [x, w], { cotangents: [cotangent] });
    const ones = Array.from({ length: batch }, (_, i) => {
      const one = leafOf("batch", [batch, ...entry], at.dtype)
        .slice([[i, i + 1]])
        .detach();
      const part = tensor(one.values(), { shape: one.shape, requiresGrad: true });
      return gradients(f(part, w), [part, w], { cotangents: [cotangent.slice([[i, i + 1]])] });
    });
    expectSame(gx, concat(ones.map(([g]) => g!)), 30 * closeness(at));
    expectSame(
      gw,
      ones.map(([, g]) => g!).reduce((a, b) => a.add(b)),
      30 * closeness(at),
    );
  };
}

/** {@link sharedSum} for every parameter of a layer. */
function sharedWeights(
  make: (options: { rng: ReturnType<typeof generator>; dtype: "float32" | "float64" }) => Layer,
  entry: readonly number[],
): (at: Place) => void {
  return (at) => {
    const batch = at.copies === 1 ? 2 : 5;
    const layer = make({ rng: generator("shared"), dtype: at.dtype });
    const parameters = layer.parameters();
    const x = numbers("series", [batch, ...entry], at.dtype);
    const y = layer.forward(x);
    const cotangent = numbers("cotangent", y.shape, at.dtype);
    const whole = gradients(y, parameters, { cotangents: [cotangent] });
    const parts = Array.from({ length: batch }, (_, i) =>
      gradients(layer.forward(x.slice([[i, i + 1]])), parameters, {
        cotangents: [cotangent.slice([[i, i + 1]])],
      }),
    );
    whole.forEach((g, i) =>
      expectSame(
        g,
        parts.map((part) => part[i]!).reduce((a, b) => a.add(b)),
        100 * closeness(at),
      ),
    );
  };
}

const elementwise: Readonly<Record<string, Shared>> = {
  add: (x, w) => x.add(w),
  sub: (x, w) => w.sub(x),
  mul: (x, w) => x.mul(w),
  div: (x, w) => x.div(w.square().add(1)),
  pow: (x, w) => x.square().add(0.5).pow(w),
  scale: (x, w) => x.scale(w),
  "scale, other side": (x, w) => w.scale(x),
  maximum: (x, w) => x.maximum(w),
  minimum: (x, w) => w.minimum(x),
  where: (x, w) => where(x.greater(0), x, w),
  "where, other branch": (x, w) => where(x.greater(0), w, x),
};

type Reduce = (x: Tensor) => Tensor;
const keep = { keepDims: true };
/** What turns `[3, 4]` into something that a matrix can multiply. */
const beforeProduct: Readonly<Record<string, Reduce>> = {
  sum: (x) => x.sum(0, keep),
  mean: (x) => x.mean(0, keep),
  "mean, dropped": (x) => x.mean(0),
  "mean of the last axis": (x) => x.mean(1, keep).transpose(),
  "mean of both axes": (x) => x.mean([0, 1], keep).expand([1, 4]),
  max: (x) => x.max(0, keep),
  min: (x) => x.min(0, keep),
  prod: (x) => x.prod(0, keep),
  norm: (x) => x.norm(0, keep),
  logsumexp: (x) => x.logsumexp(0, keep),
  variance: (x) => x.variance(0, keep),
  std: (x) => x.std(0, keep),
  softmax: (x) => x.softmax(0),
  normalize: (x) => x.normalize({ axis: 0 }),
  cumsum: (x) => x.cumsum(0),
  cumprod: (x) => x.cumprod(0),
  expand: (x) => x.slice([[0, 1]]).expand([5, 4]),
  "flip and permute": (x) => x.flip(0).transpose().transpose(),
};
const gives4 = (x: Tensor): Tensor =>
  x.shape.at(-1) === 4 ? x : x.pad(x.shape.map((_, i) => (i === x.rank - 1 ? [0, 4 - x.shape[i]!] : [0, 0])));

export const axes: Readonly<Record<string, Kind>> = {
  "cumsum-axis": {
    kind: "what takes an axis: along any of them the same as along the last one of the turned tensor",
    subjects: Object.fromEntries(Object.entries(alongAxis).map(([name, f]) => [name, sameOnEveryAxis(f)])),
  },

  "matmul-broadcast-batch": {
    kind: "what a batch shares: its cotangent is the sum of those of single entries",
    subjects: {
      ...Object.fromEntries(
        Object.entries(elementwise).flatMap(([name, f]) => [
          [`${name}, shared row`, sharedSum(f, [2, 3], [3])],
          [`${name}, shared matrix`, sharedSum(f, [2, 3], [2, 3])],
          [`${name}, shared column`, sharedSum(f, [2, 3], [1, 2, 1])],
          [`${name}, shared scalar`, sharedSum(f, [2, 3], [])],
        ]),
      ),
      "matmul, shared on the right": sharedSum((x, w) => matmul(x, w), [2, 3], [3, 4]),
      "matmul, shared on the left": sharedSum((x, w) => matmul(w, x), [2, 3], [4, 2]),
      "matmul, shared with a stack of one": sharedSum((x, w) => matmul(x, w), [2, 3], [1, 3, 4]),
      "matmul, both transposed": sharedSum(
        (x, w) => matmul(w, x, { transposeA: true, transposeB: true }),
        [2, 3],
        [3, 4],
      ),
      "matmul, shared vector": sharedSum((x, w) => matmul(x, w), [2, 3], [3]),
      "matmul, two leading axes": sharedSum((x, w) => matmul(x, w), [2, 2, 3], [2, 3, 2]),
      einsum: sharedSum((x, w) => einsum("bij,jk->bik", x, w), [2, 3], [3, 4]),
      "einsum in another order": sharedSum((x, w) => einsum("jk,bij->bki", w, x), [2, 3], [3, 4]),
      expand: sharedSum((x, w) => x.mul(w.expand([x.shape[0]!, 2, 3])), [2, 3], [2, 3]),
      gather: sharedSum((x, w) => x.mul(w.gather([1, 0, 1])), [2, 3], [2]),
      "attention, shared values": sharedSum(
        (x, w) => attention(x, x, w.unsqueeze(0).expand([x.shape[0]!, ...w.shape])),
        [1, 3, 2],
        [1, 3, 2],
      ),
      Linear: sharedWeights((options) => new Linear(3, 4, options), [3]),
      "Linear on series": sharedWeights((options) => new Linear(3, 4, options), [2, 3]),
      LayerNorm: sharedWeights(({ dtype }) => new LayerNorm(3, { dtype }), [2, 3]),
      PositionEmbedding: sharedWeights((options) => new PositionEmbedding(4, 3, options), [2, 3]),
      MultiHeadAttention: sharedWeights((options) => new MultiHeadAttention(4, 2, options), [3, 4]),
      TransformerBlock: sharedWeights(
        (options) => new TransformerBlock(4, { heads: 2, feedForward: 5, ...options }),
        [3, 4],
      ),
      GRU: sharedWeights((options) => wrapped(new GRU(3, 4, options)), [5, 3]),
      "GRU, reset before": sharedWeights(
        (options) => wrapped(new GRU(3, 4, { ...options, reset: "before" })),
        [5, 3],
      ),
      Embedding: (at) => {
        const layer = new Embedding(3, 2, { rng: generator("shared"), dtype: at.dtype });
        const indices = [0, 2, 2, 1, 2];
        const cotangent = numbers("cotangent", [5, 2], at.dtype);
        layer.forward(tensor(Int32Array.from(indices))).backward(cotangent);
        const counted = tensor([0, 1, 2].map((row) => indices.map((at) => (at === row ? 1 : 0)))).cast(
          at.dtype,
        );
        expectSame(layer.weight.grad, matmul(counted, cotangent), closeness(at));
      },
    },
  },

  "mean-axis-matmul": {
    kind: "a reduction along one axis before, or after, a product of matrices: the gradient of differences",
    places: [{ kernels: "reference", dtype: "float64", copies: 1, scoped: false }],
    subjects: {
      ...Object.fromEntries(
        Object.entries(beforeProduct).flatMap(([name, f]) => [
          [`${name}, then matmul`, checked((x, w) => matmul(gives4(f(x)), w))],
          [
            `matmul, then ${name}`,
            checked((x, w) =>
              f(
                matmul(w.transpose(), x.transpose())
                  .transpose()
                  .slice([null, [0, 2]])
                  .pad(
                    [
                      [0, 0],
                      [0, 2],
                    ],
                    1,
                  ),
              ),
            ),
          ],
          [
            `${name}, then einsum`,
            checked((x, w) => einsum(f(x).rank === 1 ? "j,jk->k" : "ij,jk->ik", gives4(f(x)), w)),
          ],
        ]),
      ),
    },
  },
};

function checked(f: (x: Tensor, w: Tensor) => Tensor): () => void {
  return () => expect(gradcheck(f as never, [leafOf("x", [3, 4]), leafOf("w", [4, 5])]).passed).toBe(true);
}

/** A GRU as a layer from series to series. */
function wrapped(gru: GRU): Layer {
  return Object.assign(Object.create(gru) as Layer, {
    parameters: () => gru.parameters(),
    forward: (x: Tensor) => gru.forward(x).output,
  });
}
