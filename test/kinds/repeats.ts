import { expect } from "vitest";
import {
  concat,
  einsum,
  gradients,
  matmul,
  stack,
  tensor,
  where,
  zeros,
  type Tensor,
} from "../../src/autograd/index.js";
import {
  attention,
  Embedding,
  GRUCell,
  huberLoss,
  l1Loss,
  Linear,
  mseLoss,
  MultiHeadAttention,
  Sequential,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { closeness, expectSame, leafOf, numbers, type Kind, type Place } from "./place.js";

/** f takes out entries of x, some several times; its transpose adds each cotangent where its entry came from. */
function addsUp(f: (x: Tensor) => Tensor, shape: readonly number[] = [3, 4]): (at: Place) => void {
  return (at) => {
    const x = leafOf("repeats", shape, at.dtype);
    const places = tensor(
      Float64Array.from({ length: x.size }, (_, i) => i),
      { shape },
    );
    const taken = f(places).values();
    const y = f(x);
    const cotangent = numbers("cotangent", y.shape, at.dtype);
    const wanted = new Float64Array(x.size);
    cotangent.values().forEach((g, i) => (wanted[taken[i]!] = wanted[taken[i]!]! + g));
    const [g] = gradients(y, [x], { cotangents: [cotangent], createGraph: true });
    expectSame(g, tensor(wanted, { shape }), 4 * closeness(at));
  };
}

/** The gradient of f(x, x) is the sum of those of f(a, b) at a = b = x. */
function twice(f: (a: Tensor, b: Tensor) => Tensor, shape: readonly number[] = [3, 3]): (at: Place) => void {
  return (at) => {
    const size = at.copies === 1 ? shape : shape.map((n) => 3 * n);
    const x = leafOf("twice", size, at.dtype);
    const [a, b] = [leafOf("twice", size, at.dtype), leafOf("twice", size, at.dtype)];
    const y = f(x, x);
    const cotangent = numbers("cotangent", y.shape, at.dtype);
    const [both] = gradients(y, [x], { cotangents: [cotangent], createGraph: true });
    const [left, right] = gradients(f(a, b), [a, b], { cotangents: [cotangent] });
    const none = zeros(size, { dtype: at.dtype });
    expectSame(both, (left ?? none).add(right ?? none), 100 * closeness(at));
    f(x, x).backward(cotangent);
    expectSame(x.grad, both, closeness(at));
    f(x, x).backward(cotangent);
    expectSame(x.grad, both!.mul(2), closeness(at));
  };
}

const four = (x: Tensor): Tensor => x.reshape([1, 1, ...x.shape]);
const options = (at: Place) => ({ rng: generator("repeats"), dtype: at.dtype });

/** A layer that is used twice gets what two copies of it get together. */
function sharedLayer(f: (first: Linear, second: Linear, x: Tensor) => Tensor): (at: Place) => void {
  return (at) => {
    const [one, a, b] = [1, 2, 3].map(() => new Linear(3, 3, options(at))) as [Linear, Linear, Linear];
    const x = numbers("x", [2, 3], at.dtype);
    f(one, one, x).square().sum().backward();
    f(a, b, x).square().sum().backward();
    expectSame(one.weight.grad, a.weight.grad!.add(b.weight.grad!), 30 * closeness(at));
    expectSame(one.bias!.grad, a.bias!.grad!.add(b.bias!.grad!), 30 * closeness(at));
  };
}

export const repeats: Readonly<Record<string, Kind>> = {
  "gather-duplicates": {
    kind: "what reads an entry several times: the cotangents add up, none is overwritten",
    subjects: {
      gather: addsUp((x) => x.gather([2, 0, 2, 2], 0)),
      "gather along the last axis": addsUp((x) => x.gather([3, 3, 0], -1)),
      "gather with indices of two axes": addsUp((x) => x.gather([[1, 1], [2, 1]], 0)), // prettier-ignore
      "gather of one entry 100 times": addsUp((x) => x.gather(new Int32Array(100).fill(1), 1)),
      takeAlongAxis: addsUp((x) => x.takeAlongAxis([[0, 0, 0], [1, 2, 1], [3, 3, 3]], 1)), // prettier-ignore
      "takeAlongAxis along the first axis": addsUp((x) => x.takeAlongAxis([[2, 2, 0, 0], [2, 1, 0, 1]], 0)), // prettier-ignore
      "slices that overlap": addsUp((x) =>
        concat([x.slice([[0, 2]]), x.slice([[1, 3]]), x.slice([[null, null, -2]])]),
      ),
      "slices with steps": addsUp((x) =>
        concat([x.slice([null, [0, null, 2]]), x.slice([null, [null, null, -1]])], 1),
      ),
      "the same index again": addsUp((x) => stack([x.slice([1]), x.slice([-2]), x.slice([1])])),
      concat: addsUp((x) => concat([x, x, x], 1)),
      stack: addsUp((x) => stack([x, x], -1)),
      expand: addsUp((x) => x.expand([5, 3, 4])),
      "expand of an inner axis": addsUp((x) => x.unsqueeze(1).expand([3, 6, 4])),
      "split and joined again": addsUp((x) => concat([...x.split(2, 1), ...x.split([1, 3], 1)], 1)),
      "flip beside itself": addsUp((x) => concat([x, x.flip()], 0)),
      "transpose beside itself": addsUp((x) => stack([x, x.transpose().reshape([3, 4])])),
      "tril and triu": addsUp((x) =>
        concat([
          x
            .tril(1)
            .reshape([12])
            .slice([[0, 2]]),
          x.triu(-3).reshape([12]),
        ]),
      ),
      "diagonal of einsum": addsUp(
        (x) => einsum("ii->i", x.reshape([12]).gather([0, 1, 1, 2], 0).reshape([2, 2])),
        [12],
      ),
      "scatterAdd, updates": (at) => {
        const updates = leafOf("updates", [4, 2], at.dtype);
        const y = zeros([3, 2], { dtype: at.dtype }).scatterAdd([1, 1, 2, 1], updates);
        expectSame(
          y,
          stack([updates.slice([0]).mul(0), updates.gather([0, 1, 3]).sum(0), updates.slice([2])]),
          closeness(at),
        );
        const cotangent = numbers("cotangent", [3, 2], at.dtype);
        y.backward(cotangent);
        expectSame(updates.grad, cotangent.gather([1, 1, 2, 1]), 0);
      },
      Embedding: (at) => {
        const layer = new Embedding(3, 2, options(at));
        const cotangent = numbers("cotangent", [4, 2], at.dtype);
        layer.forward(tensor(Int32Array.of(1, 1, 2, 1))).backward(cotangent);
        const rows = [0, 1, 2, 3].map((i) => cotangent.slice([i]));
        expectSame(
          layer.weight.grad,
          stack([rows[0]!.mul(0), rows[0]!.add(rows[1]!).add(rows[3]!), rows[2]!]),
          closeness(at),
        );
      },
      "where, both branches": addsUp((x) => where(true, x, x)),
    },
  },

  "tensor-used-twice": {
    kind: "one tensor in several places of an operation, a loss, a layer or a list: no contribution is lost",
    subjects: {
      add: twice((a, b) => a.add(b)),
      sub: twice((a, b) => a.sub(b).add(a)),
      mul: twice((a, b) => a.mul(b)),
      div: twice((a, b) => a.div(b).mul(a)),
      pow: twice((a, b) => a.square().pow(b)),
      scale: twice((a, b) => a.scale(b)),
      maximum: twice((a, b) => a.maximum(b)),
      minimum: twice((a, b) => a.minimum(b)),
      where: twice((a, b) => where(a.greater(0), a, b.mul(2))),
      matmul: twice((a, b) => matmul(a, b)),
      "matmul with its transpose": twice((a, b) => matmul(a, b, { transposeB: true })),
      einsum: twice((a, b) => einsum("ij,kj->ik", a, b)),
      concat: twice((a, b) => concat([a, b, a])),
      stack: twice((a, b) => stack([a, b])),
      scatterAdd: twice((a, b) => a.scatterAdd(new Int32Array(a.shape[0]!), b)),
      solveTriangular: twice((a, b) => a.tril().add(numbersEye(a)).solveTriangular(b)),
      "broadcast against itself": twice((a, b) => a.unsqueeze(0).mul(b.unsqueeze(1))),
      "reduced and whole": twice((a, b) => a.sub(b.mean(0))),
      attention: twice((a, b) => attention(four(a), four(b), four(a.add(b)))),
      "attention of itself": twice((a, b) => attention(four(a), four(a), four(b))),
      mseLoss: twice((a, b) => mseLoss(a.mul(2), b)),
      "mseLoss with itself": twice((a, b) => mseLoss(a, b)),
      l1Loss: twice((a, b) => l1Loss(a.mul(2), b)),
      huberLoss: twice((a, b) => huberLoss(a.mul(2), b)),
      "a diamond of depth 20": twice((a, b) => {
        let y = a.mul(0.5).add(b.mul(0.5));
        for (let i = 0; i < 20; i++) y = y.mul(0.5).add(y.mul(0.5));
        return y;
      }),
      "MultiHeadAttention, query as key": (at) => {
        const layer = new MultiHeadAttention(4, 2, options(at));
        const [x, q, k, v] = [1, 2, 3, 4].map(() => leafOf("x", [2, 3, 4], at.dtype)) as [
          Tensor,
          Tensor,
          Tensor,
          Tensor,
        ];
        layer.forward(x).square().sum().backward();
        layer.forward(q, { key: k, value: v }).square().sum().backward();
        expectSame(x.grad, q.grad!.add(k.grad!).add(v.grad!), 100 * closeness(at));
      },
      "GRUCell, input as state": (at) => {
        const layer = new GRUCell(4, 4, options(at));
        const [x, a, h] = [1, 2, 3].map(() => leafOf("x", [2, 4], at.dtype)) as [Tensor, Tensor, Tensor];
        layer.forward(x, x).square().sum().backward();
        layer.forward(a, h).square().sum().backward();
        expectSame(x.grad, a.grad!.add(h.grad!), 100 * closeness(at));
      },
      "a layer twice in Sequential": sharedLayer((a, b, x) =>
        new Sequential([a, (y) => y.tanh(), b]).forward(x),
      ),
      "a layer on two inputs": sharedLayer((a, b, x) => a.forward(x).mul(b.forward(x.mul(2)))),
      "an input listed twice": (at) => {
        const x = leafOf("x", [3], at.dtype);
        const [a, b] = gradients(x.square().sum(), [x, x]);
        expectSame(a, x.detach().mul(2), closeness(at));
        expectSame(b, a, 0);
      },
      "an output listed twice": (at) => {
        const x = leafOf("x", [3], at.dtype);
        const y = x.square().sum();
        const [g] = gradients([y, y], [x]);
        expectSame(g, x.detach().mul(4), closeness(at));
      },
      "an output that is an input": (at) => {
        const x = leafOf("x", [3], at.dtype);
        const y = x.mul(2);
        const [gx, gy] = gradients([y, y.mul(3)], [x, y], {
          cotangents: [zeros([3], { dtype: at.dtype }).add(1), zeros([3], { dtype: at.dtype }).add(1)],
        });
        expect([...gy!.values()]).toEqual([4, 4, 4]);
        expect([...gx!.values()]).toEqual([8, 8, 8]);
      },
    },
  },
};

function numbersEye(a: Tensor): Tensor {
  const n = a.shape[0]!;
  return tensor(
    Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 9 : 0)),
    { shape: [n, n] },
  ).cast(a.dtype);
}
