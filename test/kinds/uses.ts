import { concat, eye, rules, where, type Tensor } from "../../src/autograd/index.js";
import { apply } from "../../src/autograd/record.js";
import { leafOf } from "./place.js";

type Use = readonly [f: (...xs: Tensor[]) => Tensor, ...shapes: readonly number[][]];

const twice = (x: Tensor): Tensor => eye(x.shape.at(-1)!, x.shape.at(-1)!, { dtype: x.dtype }).mul(9);
const alongFirst = (x: Tensor): { axis: number; length: number; indices: Tensor["array"] } => ({
  axis: 0,
  length: 3,
  indices: x.detach().mul(0).cast("int32").add(1).array,
});

/** One use of every operation that has a gradient, and the shapes of its operands. */
const table: Readonly<Record<string, Use>> = {
  ...Object.fromEntries(
    (
      [
        "neg",
        "abs",
        "sign",
        "square",
        "exp",
        "expm1",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "relu",
        "softplus",
        "erf",
        "gelu",
        "reciprocal",
      ] as const
    ).map((name) => [name, [(x) => x![name](), [2, 3]] satisfies Use]),
  ),
  sqrt: [(x) => x!.square().sqrt(), [2, 3]],
  log: [(x) => x!.square().log(), [2, 3]],
  log1p: [(x) => x!.square().log1p(), [2, 3]],
  geluTanh: [(x) => x!.gelu({ approximate: "tanh" }), [2, 3]],
  ...Object.fromEntries(
    (["add", "sub", "mul", "div", "scale", "maximum", "minimum"] as const).map((name) => [
      name,
      [(a, b) => a![name](b!), [2, 3], [3]] satisfies Use,
    ]),
  ),
  pow: [(a, b) => a!.square().add(1).pow(b!), [2, 3], [3]],
  where: [(a, b) => where([[true, false, true]], a!, b!), [2, 3], [3]],
  clip: [(x) => x!.clip(-0.5, 0.5), [2, 3]],
  cast: [(x) => x!.cast("float32").cast("float64"), [2, 3]],
  ...Object.fromEntries(
    (
      [
        "sum",
        "max",
        "min",
        "prod",
        "logsumexp",
        "norm",
        "cumsum",
        "cumprod",
        "softmax",
        "logSoftmax",
      ] as const
    ).map((name) => [name, [(x) => x![name](0), [3, 2]] satisfies Use]),
  ),
  normalize: [(x) => x!.normalize(), [2, 3]],
  reshape: [(x) => x!.reshape([3, 2]), [2, 3]],
  permute: [(x) => x!.transpose(), [2, 3]],
  expand: [(x) => x!.expand([2, 3]), [3]],
  flip: [(x) => x!.flip(), [2, 3]],
  triangle: [(x) => x!.tril(), [3, 3]],
  slice: [(x) => x!.slice([null, [null, null, -2]]), [2, 3]],
  unslice: [
    (x) => apply(rules.unslice, [x!], { starts: [3, 0], lengths: [2, 2], steps: [-2, 1], shape: [4, 3] }),
    [2, 2],
  ],
  concat: [(a, b) => concat([a!, b!]), [2, 3], [1, 3]],
  pad: [
    (x) =>
      x!.pad([
        [1, 0],
        [0, 2],
      ]),
    [2, 3],
  ],
  gather: [(x) => x!.gather([1, 1, 0]), [2, 3]],
  addAt: [(a, b) => a!.scatterAdd([1, 1, 0], b!), [2, 3], [3, 3]],
  takeAlongAxis: [(x) => x!.takeAlongAxis([[1, 0, 1]], 0), [2, 3]],
  addAlongAxis: [(x) => apply(rules.addAlongAxis, [x!], alongFirst(x!)), [2, 3]],
  matmul: [(a, b) => a!.matmul(b!), [2, 3], [3, 2]],
  cholesky: [(x) => x!.matmul(x!, { transposeB: true }).add(twice(x!)).cholesky(), [3, 3]],
  solveTriangular: [(a, b) => a!.add(twice(a!)).solveTriangular(b!), [3, 3], [3, 2]],
};

/** What a use is called, its function and operands in float64. */
export const uses = Object.entries(table).map(([name, [f, ...shapes]]) => ({
  name,
  f,
  inputs: shapes.map((shape, i) => leafOf(`operand ${i}`, shape)),
}));
