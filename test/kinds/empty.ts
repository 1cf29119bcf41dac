import { expect } from "vitest";
import {
  concat,
  eye,
  matmul,
  ones,
  pow,
  stack,
  svd,
  tensor,
  where,
  zeros,
  type Tensor,
} from "../../src/autograd/index.js";
import {
  Adam,
  attention,
  crossEntropy,
  Dropout,
  Embedding,
  GRU,
  GRUCell,
  huberLoss,
  l1Loss,
  LayerNorm,
  Linear,
  mseLoss,
  MultiHeadAttention,
  PositionEmbedding,
  SGD,
  TransformerBlock,
  type Layer,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import type { Kind, Place } from "./place.js";

type Binary = (a: Tensor, b: Tensor) => Tensor;

const leaf = (at: Place, shape: readonly number[]): Tensor =>
  ones(shape, { dtype: at.dtype, requiresGrad: true });
const allZero = (x: Tensor | undefined): boolean =>
  x !== undefined && x.values().every((value) => value === 0);

/** Pairs of shapes that broadcast to one without elements, and that shape. */
const emptyPairs: readonly (readonly [number[], number[], number[]])[] = [
  [[4, 0], [4, 1], [4, 0]],
  [[4, 0], [1], [4, 0]],
  [[4, 0], [], [4, 0]],
  [[0], [3, 1], [3, 0]],
  [[0, 3], [1, 3], [0, 3]],
  [[0, 3], [3], [0, 3]],
  [[2, 0, 3], [1, 1, 3], [2, 0, 3]],
  [[2, 1, 3], [0, 1], [2, 0, 3]],
  [[1, 0], [0, 1], [0, 0]],
  [[0], [0], [0]],
]; // prettier-ignore

function unbroadcasts(f: Binary): (at: Place) => void {
  return (at) => {
    for (const [left, right, shape] of emptyPairs) {
      for (const turned of [false, true]) {
        const [a, b] = [leaf(at, left), leaf(at, right)];
        const y = turned ? f(b, a) : f(a, b);
        expect(y.shape).toEqual(shape);
        y.sum().backward();
        expect(a.grad!.shape).toEqual(left);
        expect(b.grad!.shape).toEqual(right);
        expect(allZero(a.grad) && allZero(b.grad)).toBe(true);
      }
    }
  };
}

/** A function of x `[0, …]` whose other operands receive zeros. */
function weightsGetZeros(
  make: (options: { rng: ReturnType<typeof generator>; dtype: "float32" | "float64" }) => Layer,
  shape: readonly number[],
  out: readonly number[],
): (at: Place) => void {
  return (at) => {
    const layer = make({ rng: generator("empty"), dtype: at.dtype });
    const x = leaf(at, shape);
    const y = layer.forward(x);
    expect(y.shape).toEqual(out);
    y.sum().backward();
    expect(x.grad!.shape).toEqual(shape);
    for (const [name, parameter] of layer.namedParameters())
      expect(parameter.grad === undefined || allZero(parameter.grad), name).toBe(true);
  };
}

type Unary = (x: Tensor) => Tensor;
const elementwise = ["neg", "abs", "sign", "square", "sqrt", "reciprocal", "exp", "log", "log1p", "expm1", "sin", "cos", "tanh", "sigmoid", "relu", "softplus", "erf", "gelu"] as const; // prettier-ignore
const shapes = [[0], [2, 0], [0, 3], [2, 0, 3], [0, 0]];

/** Value and gradient of an empty tensor have these shapes. */
function shaped(f: Unary, from: readonly number[], to: readonly number[]): (at: Place) => void {
  return (at) => {
    const x = leaf(at, from);
    const y = f(x);
    expect(y.shape).toEqual(to);
    if (!y.requiresGrad) return;
    y.sum().backward();
    expect(x.grad!.shape).toEqual(from);
  };
}

const all =
  (...tests: ((at: Place) => void)[]) =>
  (at: Place): void =>
    tests.forEach((test) => test(at));
/** The same shape, for every empty shape and every axis. */
const keepsShape = (f: (x: Tensor, axis: number) => Tensor): ((at: Place) => void) =>
  all(
    ...shapes.flatMap((shape) =>
      shape.flatMap((_, i) => [i, i - shape.length]).map((axis) => shaped((x) => f(x, axis), shape, shape)),
    ),
  );

/** A reduction of every empty shape along every axis: what is left holds this value, or it is refused. */
function reduces(
  f: (x: Tensor, axis: number | undefined, keepDims: boolean) => Tensor,
  ofNothing: number | "refused" | "refused along 0",
): (at: Place) => void {
  return (at) => {
    for (const shape of shapes) {
      for (const axis of [undefined, ...shape.keys()]) {
        for (const keepDims of [false, true]) {
          const x = leaf(at, shape);
          const over = axis === undefined ? [...shape.keys()] : [axis];
          const to = shape.flatMap((n, i) => (over.includes(i) ? (keepDims ? [1] : []) : [n]));
          const along0 = ofNothing === "refused along 0" && over.reduce((n, i) => n * shape[i]!, 1) === 0;
          if (along0 || (ofNothing === "refused" && !to.includes(0))) {
            expect(() => f(x, axis, keepDims)).toThrow(/E_SHAPE/);
            continue;
          }
          const y = f(x, axis, keepDims);
          expect(y.shape).toEqual(to);
          expect(y.values().every((value) => Object.is(value, ofNothing))).toBe(true);
          if (!y.requiresGrad) continue;
          y.sum().backward();
          expect(x.grad!.shape).toEqual(shape);
        }
      }
    }
  };
}

const loss =
  (f: typeof mseLoss): ((at: Place) => void) =>
  (at) => {
    const x = leaf(at, [0, 3]);
    expect(f(x, zeros([0, 3], { dtype: at.dtype })).item()).toBeNaN();
    const total = f(x, zeros([0, 3], { dtype: at.dtype }), { reduction: "sum" });
    expect(total.item()).toBe(0);
    total.backward();
    expect(x.grad!.shape).toEqual([0, 3]);
    expect(f(x, zeros([0, 3], { dtype: at.dtype }), { reduction: "none" }).shape).toEqual([0, 3]);
  };
const steps =
  (make: (parameters: Tensor[]) => { step(): void }) =>
  (at: Place): void => {
    const [empty, x] = [leaf(at, [0, 2]), leaf(at, [2])];
    const optimizer = make([empty, x]);
    for (const parameter of [empty, x]) parameter.grad = ones(parameter.shape, { dtype: at.dtype });
    optimizer.step();
    expect(empty.shape).toEqual([0, 2]);
    expect(x.values()[0]).toBeLessThan(1);
  };
const gruSeries = (gru: GRU): Layer =>
  Object.assign(Object.create(gru) as Layer, {
    namedParameters: () => gru.namedParameters(),
    forward: (x: Tensor) => gru.forward(x).output,
  });

export const empty: Readonly<Record<string, Kind>> = {
  "unbroadcast-empty": {
    kind: "operands that broadcast to a shape without elements: each receives zeros of its own shape",
    subjects: {
      add: unbroadcasts((a, b) => a.add(b)),
      sub: unbroadcasts((a, b) => a.sub(b)),
      mul: unbroadcasts((a, b) => a.mul(b)),
      div: unbroadcasts((a, b) => a.div(b)),
      scale: unbroadcasts((a, b) => a.scale(b)),
      pow: unbroadcasts((a, b) => pow(a, b)),
      maximum: unbroadcasts((a, b) => a.maximum(b)),
      minimum: unbroadcasts((a, b) => a.minimum(b)),
      "where of two": unbroadcasts((a, b) => where(true, a, b)),
      "where of the others": unbroadcasts((a, b) => where(false, a, b)),
      "where with a condition that widens": (at) => {
        const [a, b] = [leaf(at, [1, 2]), leaf(at, [2])];
        const y = where(zeros([0, 2], { dtype: "bool" }), a, b);
        expect(y.shape).toEqual([0, 2]);
        y.sum().backward();
        expect(allZero(a.grad) && allZero(b.grad)).toBe(true);
        expect([a.grad!.shape, b.grad!.shape]).toEqual([[1, 2], [2]]);
      },
      expand: shaped((x) => x.expand([3, 0]), [3, 1], [3, 0]),
      "expand to no rows": shaped((x) => x.expand([0, 3]), [3], [0, 3]),
      "matmul of a shared matrix": (at) => {
        const [a, b] = [leaf(at, [0, 2, 3]), leaf(at, [3, 4])];
        const y = matmul(a, b);
        expect(y.shape).toEqual([0, 2, 4]);
        y.sum().backward();
        expect(a.grad!.shape).toEqual([0, 2, 3]);
        expect(b.grad!.shape).toEqual([3, 4]);
        expect(allZero(b.grad)).toBe(true);
      },
      "matmul of a stack of one": (at) => {
        const [a, b] = [leaf(at, [0, 2, 3]), leaf(at, [1, 3, 4])];
        matmul(a, b).sum().backward();
        expect(b.grad!.shape).toEqual([1, 3, 4]);
        expect(allZero(b.grad)).toBe(true);
      },
      Linear: weightsGetZeros((options) => new Linear(3, 2, options), [0, 3], [0, 2]),
      "Linear on series": weightsGetZeros((options) => new Linear(3, 2, options), [4, 0, 3], [4, 0, 2]),
      LayerNorm: weightsGetZeros(({ dtype }) => new LayerNorm(3, { dtype }), [0, 3], [0, 3]),
      PositionEmbedding: weightsGetZeros(
        (options) => new PositionEmbedding(5, 3, options),
        [0, 2, 3],
        [0, 2, 3],
      ),
    },
  },

  "zero-size": {
    kind: "sizes of 0 in every place: shapes as NumPy has them, gradients in the shape of the input",
    subjects: {
      ...Object.fromEntries(elementwise.map((name) => [name, keepsShape((x) => x[name]())])),
      "tanh gelu": keepsShape((x) => x.gelu({ approximate: "tanh" })),
      clip: keepsShape((x) => x.clip(0, 1)),
      cumsum: keepsShape((x, axis) => x.cumsum(axis)),
      cumprod: keepsShape((x, axis) => x.cumprod(axis)),
      softmax: keepsShape((x, axis) => x.softmax(axis)),
      logSoftmax: keepsShape((x, axis) => x.logSoftmax(axis)),
      normalize: keepsShape((x, axis) => x.normalize({ axis })),
      flip: keepsShape((x, axis) => x.flip(axis)),
      cast: keepsShape((x) => x.cast("float64").cast("float32")),
      sum: reduces((x, axis, keepDims) => x.sum(axis, { keepDims }), 0),
      prod: reduces((x, axis, keepDims) => x.prod(axis, { keepDims }), 1),
      mean: reduces((x, axis, keepDims) => x.mean(axis, { keepDims }), NaN),
      variance: reduces((x, axis, keepDims) => x.variance(axis, { keepDims }), NaN),
      std: reduces((x, axis, keepDims) => x.std(axis, { keepDims }), NaN),
      norm: reduces((x, axis, keepDims) => x.norm(axis, { keepDims }), 0),
      logsumexp: reduces((x, axis, keepDims) => x.logsumexp(axis, { keepDims }), -Infinity),
      max: reduces((x, axis, keepDims) => x.max(axis, { keepDims }), "refused"),
      min: reduces((x, axis, keepDims) => x.min(axis, { keepDims }), "refused"),
      argmax: reduces((x, axis, keepDims) => x.argmax(axis, { keepDims }), "refused along 0"),
      argmin: reduces((x, axis, keepDims) => x.argmin(axis, { keepDims }), "refused along 0"),
      reshape: all(
        shaped((x) => x.reshape([0, 7]), [2, 0], [0, 7]),
        shaped((x) => x.reshape([0]), [2, 0, 3], [0]),
      ),
      permute: shaped((x) => x.permute([2, 0, 1]), [2, 0, 3], [3, 2, 0]),
      transpose: shaped((x) => x.transpose(), [2, 0], [0, 2]),
      squeeze: shaped((x) => x.squeeze(), [1, 0, 1], [0]),
      unsqueeze: shaped((x) => x.unsqueeze(1), [2, 0], [2, 1, 0]),
      tril: all(
        shaped((x) => x.tril(), [2, 0], [2, 0]),
        shaped((x) => x.triu(1), [0, 2, 2], [0, 2, 2]),
      ),
      slice: all(
        shaped((x) => x.slice([null, [1, 1]]), [2, 3], [2, 0]),
        shaped((x) => x.slice([null, [0, null, -1]]), [2, 0], [2, 0]),
        shaped((x) => x.slice([1]), [2, 0], [0]),
      ),
      gather: all(
        shaped((x) => x.gather([], 1), [2, 3], [2, 0]),
        shaped((x) => x.gather([1, 1], 0), [2, 0], [2, 0]),
      ),
      takeAlongAxis: shaped((x) => x.takeAlongAxis(zeros([2, 0], { dtype: "int32" }), 1), [2, 3], [2, 0]),
      scatterAdd: all(
        shaped((x) => x.scatterAdd([], zeros([2, 0]), 1), [2, 3], [2, 3]),
        shaped((x) => x.scatterAdd([0, 1], zeros([2, 0]), 0), [2, 0], [2, 0]),
      ),
      concat: all(
        shaped((x) => concat([x, x], 1), [2, 0], [2, 0]),
        shaped((x) => concat([x, x], 0), [2, 0], [4, 0]),
      ),
      stack: shaped((x) => stack([x, x], 1), [2, 0], [2, 2, 0]),
      split: shaped((x) => x.split([0, 2])[0]!, [2, 3], [0, 3]),
      pad: all(shaped((x) => x.pad([[1, 1], [0, 2]], 1), [2, 0], [4, 2]), shaped((x) => x.pad([[0, 0]]), [0], [0])), // prettier-ignore
      matmul: all(
        shaped((x) => x.matmul(zeros([0, 3])), [2, 0], [2, 3]),
        shaped((x) => x.matmul(zeros([0])), [0], []),
        shaped((x) => x.matmul(zeros([3, 0])), [2, 3], [2, 0]),
        shaped((x) => x.matmul(x, { transposeA: true }), [0, 3], [3, 3]),
      ),
      cholesky: all(
        shaped((x) => x.cholesky(), [0, 0], [0, 0]),
        shaped((x) => x.cholesky(), [0, 2, 2], [0, 2, 2]),
      ),
      solveTriangular: (at) => {
        const b = leaf(at, [2, 0]);
        const x = eye(2, 2, { dtype: at.dtype }).solveTriangular(b);
        expect(x.shape).toEqual([2, 0]);
        x.sum().backward();
        expect(b.grad!.shape).toEqual([2, 0]);
      },
      svd: () => {
        for (const [shape, u, s, v] of [
          [[0, 3], [0, 0], [0], [3, 0]],
          [[3, 0], [3, 0], [0], [0, 0]],
          [
            [0, 2, 3],
            [0, 2, 2],
            [0, 2],
            [0, 3, 2],
          ],
        ] as const) {
          const result = svd(zeros(shape));
          expect([result.u.shape, result.s.shape, result.v.shape]).toEqual([u, s, v]);
        }
      },
      "attention without a batch": (at) => {
        const q = leaf(at, [0, 2, 3, 4]);
        const out = attention(q, q, q, { causal: true });
        expect(out.shape).toEqual([0, 2, 3, 4]);
        out.sum().backward();
        expect(q.grad!.shape).toEqual([0, 2, 3, 4]);
      },
      "attention without queries": (at) => {
        const [q, k] = [leaf(at, [1, 2, 0, 4]), leaf(at, [1, 2, 3, 4])];
        const out = attention(q, k, k);
        expect(out.shape).toEqual([1, 2, 0, 4]);
        out.sum().backward();
        expect(q.grad!.shape).toEqual([1, 2, 0, 4]);
        expect(allZero(k.grad)).toBe(true);
      },
      "attention without width": (at) => {
        const [q, v] = [leaf(at, [1, 1, 2, 4]), leaf(at, [1, 1, 2, 0])];
        const out = attention(q, q, v);
        expect(out.shape).toEqual([1, 1, 2, 0]);
        out.sum().backward();
        expect(v.grad!.shape).toEqual([1, 1, 2, 0]);
      },
      MultiHeadAttention: weightsGetZeros(
        (options) => new MultiHeadAttention(4, 2, options),
        [0, 3, 4],
        [0, 3, 4],
      ),
      "MultiHeadAttention of no positions": weightsGetZeros(
        (options) => new MultiHeadAttention(4, 2, options),
        [2, 0, 4],
        [2, 0, 4],
      ),
      TransformerBlock: weightsGetZeros(
        (options) => new TransformerBlock(4, { heads: 2, feedForward: 3, ...options }),
        [0, 3, 4],
        [0, 3, 4],
      ),
      "TransformerBlock of no positions": weightsGetZeros(
        (options) => new TransformerBlock(4, { heads: 2, feedForward: 3, ...options }),
        [2, 0, 4],
        [2, 0, 4],
      ),
      GRU: weightsGetZeros((options) => gruSeries(new GRU(3, 4, options)), [0, 5, 3], [0, 5, 4]),
      "GRU, reset before": weightsGetZeros(
        (options) => gruSeries(new GRU(3, 4, { ...options, reset: "before" })),
        [0, 5, 3],
        [0, 5, 4],
      ),
      "GRU of two layers": weightsGetZeros(
        (options) => gruSeries(new GRU(3, 4, { ...options, numLayers: 2 })),
        [0, 5, 3],
        [0, 5, 4],
      ),
      "GRU without time": (at) =>
        expect(() =>
          new GRU(3, 4, { rng: generator("e"), dtype: at.dtype }).forward(leaf(at, [2, 0, 3])),
        ).toThrow(/E_SHAPE.*one step/),
      GRUCell: weightsGetZeros((options) => new GRUCell(3, 4, options), [0, 3], [0, 4]),
      Embedding: (at) => {
        const layer = new Embedding(3, 2, { rng: generator("e"), dtype: at.dtype });
        const y = layer.forward(zeros([0, 4], { dtype: "int32" }));
        expect(y.shape).toEqual([0, 4, 2]);
        y.sum().backward();
        expect(allZero(layer.weight.grad)).toBe(true);
      },
      Dropout: keepsShape((x) => new Dropout({ p: 0.5, rng: generator("e") }).forward(x)),
      mseLoss: loss(mseLoss),
      l1Loss: loss(l1Loss),
      huberLoss: loss(huberLoss),
      crossEntropy: (at) => {
        const x = leaf(at, [0, 3]);
        const none = tensor(new Int32Array(0));
        expect(crossEntropy(x, none).item()).toBeNaN();
        const total = crossEntropy(x, none, { reduction: "sum", labelSmoothing: 0.1 });
        expect(total.item()).toBe(0);
        total.backward();
        expect(x.grad!.shape).toEqual([0, 3]);
        expect(() => crossEntropy(leaf(at, [2, 0]), tensor(Int32Array.of(0, 0)))).toThrow(/E_INDEX/);
      },
      Adam: steps((parameters) => new Adam(parameters)),
      SGD: steps((parameters) => new SGD(parameters, { lr: 0.1, momentum: 0.9 })),
    },
  },
};
