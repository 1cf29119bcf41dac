import {
  concat,
  einsum,
  eye,
  matmul,
  pad,
  rules,
  slice,
  solveTriangular,
  split,
  stack,
  tensor,
  where,
  type Tensor,
} from "../../../src/autograd/index.js";
import { apply } from "../../../src/autograd/record.js";
import type { TensorFunction } from "../../../src/testing/index.js";

const one =
  (f: (x: Tensor) => Tensor): TensorFunction =>
  (x) =>
    f(x!);
const two =
  (f: (a: Tensor, b: Tensor) => Tensor): TensorFunction =>
  (a, b) =>
    f(a!, b!);
const sums =
  (subscripts: string): TensorFunction =>
  (...xs) =>
    einsum(subscripts, ...xs);

const twice = (x: Tensor): Tensor => eye(x.shape.at(-1)!, x.shape.at(-1)!, { dtype: "float64" }).mul(2);
const definite = (x: Tensor): Tensor => x.matmul(x, { transposeB: true }).mul(0.3).add(twice(x));
const triangular = (x: Tensor): Tensor => x.tanh().mul(0.5).add(twice(x));

const list = [2, 0, 2, 1];
const along = tensor(Int32Array.of(0, 2, 2, 1, 1, 0), { shape: [2, 3] });
const mask = tensor([[true], [false], [true]]);

/** The functions whose values `operations.py` writes down, in its order. */
export const operationUses: Readonly<Record<string, readonly TensorFunction[]>> = {
  add: [two((a, b) => a.add(b)), two((a, b) => a.add(b))],
  sub: [two((a, b) => a.sub(b))],
  mul: [two((a, b) => a.mul(b)), two((a, b) => a.mul(b))],
  div: [two((a, b) => a.div(b))],
  scale: [two((a, b) => a.scale(b))],
  pow: [two((a, b) => a.pow(b))],
  maximum: [two((a, b) => a.maximum(b))],
  minimum: [two((a, b) => a.minimum(b))],
  neg: [one((x) => x.neg())],
  abs: [one((x) => x.abs())],
  sign: [one((x) => x.sign())],
  square: [one((x) => x.square())],
  sqrt: [one((x) => x.sqrt())],
  reciprocal: [one((x) => x.reciprocal())],
  exp: [one((x) => x.exp())],
  log: [one((x) => x.log())],
  log1p: [one((x) => x.log1p())],
  expm1: [one((x) => x.expm1())],
  sin: [one((x) => x.sin())],
  cos: [one((x) => x.cos())],
  tanh: [one((x) => x.tanh())],
  sigmoid: [one((x) => x.sigmoid())],
  relu: [one((x) => x.relu())],
  softplus: [one((x) => x.softplus())],
  erf: [one((x) => x.erf())],
  gelu: [one((x) => x.gelu())],
  geluTanh: [one((x) => x.gelu({ approximate: "tanh" }))],
  clip: [one((x) => x.clip(-1.125, 0.875))],
  where: [two((a, b) => where(mask, a, b))],
  sum: [one((x) => x.sum([0, 2])), one((x) => x.sum(1, { keepDims: true }))],
  max: [one((x) => x.max(1)), one((x) => x.max(0))],
  min: [one((x) => x.min(1)), one((x) => x.min(0))],
  prod: [one((x) => x.prod(1)), one((x) => x.prod(1))],
  logsumexp: [one((x) => x.logsumexp([0, 2]))],
  norm: [one((x) => x.norm(1))],
  cumsum: [one((x) => x.cumsum(0)), one((x) => x.cumsum(1))],
  cumprod: [one((x) => x.cumprod(1)), one((x) => x.cumprod(0))],
  matmul: [
    two((a, b) => matmul(a, b)),
    two((a, b) => matmul(a, b, { transposeA: true, transposeB: true })),
    two((a, b) => matmul(a, b)),
  ],
  softmax: [one((x) => x.softmax()), one((x) => x.softmax(0))],
  logSoftmax: [one((x) => x.logSoftmax())],
  normalize: [one((x) => x.normalize())],
  cholesky: [one((x) => definite(x).cholesky())],
  solveTriangular: [
    two((a, b) => solveTriangular(triangular(a), b)),
    two((a, b) => solveTriangular(triangular(a), b, { upper: true, transpose: true })),
  ],
  reshape: [one((x) => x.reshape([3, 4]))],
  permute: [one((x) => x.permute([2, 0, 1]))],
  expand: [one((x) => x.expand([2, 3, 2]))],
  flip: [one((x) => x.flip([0, 2]))],
  triangle: [one((x) => x.tril(-1).add(x.triu(1)))],
  slice: [one((x) => slice(x, [[1], [null, null, 2]]))],
  concat: [two((a, b) => concat([a, b], 1))],
  pad: [
    one((x) =>
      pad(
        x,
        [
          [0, 1],
          [2, 1],
        ],
        -1.5,
      ),
    ),
  ],
  gather: [one((x) => x.gather(list, 0))],
  addAt: [two((a, b) => a.scatterAdd(list, b, 0))],
  takeAlongAxis: [one((x) => x.takeAlongAxis(along, 1))],
  addAlongAxis: [one((x) => apply(rules.addAlongAxis, [x], { axis: 1, length: 3, indices: along.array }))],
  mean: [one((x) => x.mean([0, 2]))],
  variance: [one((x) => x.variance(1)), one((x) => x.variance(0, { correction: 0 }))],
  std: [one((x) => x.std(1))],
  einsum: [
    sums("ij,jk->ik"),
    sums("bqhd,bkhd->bhqk"),
    sums("ii,i->i"),
    sums("ij,jk,kl->il"),
    sums("i,j,k->kij"),
    sums("bij->bj"),
  ],
  stack: [two((a, b) => stack([a, b], 1))],
  split: [
    one((x) => {
      const [a, b] = split(x, [1, 3], 1) as [Tensor, Tensor];
      return concat([b, a], 1).mul(a);
    }),
  ],
  transpose: [one((x) => x.transpose(0, 2))],
  squeeze: [one((x) => x.squeeze(1))],
  unsqueeze: [one((x) => x.unsqueeze(-1))],
};
