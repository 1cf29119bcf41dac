import { add, div, maximum, minimum, mul, pow, scale, sub } from "./ops/arithmetic.js";
import { backward } from "./backward.js";
import {
  equal,
  greater,
  greaterEqual,
  isFinite,
  isNaN,
  less,
  lessEqual,
  logicalAnd,
  logicalNot,
  logicalOr,
  notEqual,
} from "./ops/comparison.js";
import {
  abs,
  cos,
  erf,
  exp,
  expm1,
  gelu,
  log,
  log1p,
  neg,
  reciprocal,
  relu,
  sigmoid,
  sign,
  sin,
  softplus,
  sqrt,
  square,
  tanh,
} from "./ops/elementwise.js";
import { gather, scatterAdd, takeAlongAxis } from "./ops/indexing.js";
import { concatWith, pad, split } from "./ops/joining.js";
import { cholesky, solveTriangular } from "./ops/linear-algebra.js";
import { logSoftmax, normalize, softmax } from "./ops/normalization.js";
import { matmul } from "./ops/product.js";
import { argmax, argmin } from "./ops/position.js";
import { logsumexp, max, min, norm, prod, sum } from "./ops/reduction.js";
import { cumprod, cumsum } from "./ops/scan.js";
import { cast, clip, stopGradient, where } from "./ops/selection.js";
import { expand, flip, permute, reshape, squeeze, transpose, tril, triu, unsqueeze } from "./ops/shaping.js";
import { slice } from "./ops/slicing.js";
import { mean, std, variance } from "./ops/statistics.js";
import type { TensorLike } from "./operands.js";
import { Tensor } from "./tensor.js";

/** x where the condition holds, else `other`. */
function whereElse(x: TensorLike, condition: TensorLike, other: TensorLike): Tensor {
  return where(condition, x, other);
}

/** The functions that are methods of a tensor: the tensor is their first argument. */
const methods = {
  abs,
  add,
  argmax,
  argmin,
  backward,
  cast,
  cholesky,
  clip,
  concatWith,
  cos,
  cumprod,
  cumsum,
  div,
  equal,
  erf,
  exp,
  expand,
  expm1,
  flip,
  gather,
  gelu,
  greater,
  greaterEqual,
  isFinite,
  isNaN,
  less,
  lessEqual,
  log,
  log1p,
  logSoftmax,
  logicalAnd,
  logicalNot,
  logicalOr,
  logsumexp,
  matmul,
  max,
  maximum,
  mean,
  min,
  minimum,
  mul,
  neg,
  norm,
  normalize,
  notEqual,
  pad,
  permute,
  pow,
  prod,
  reciprocal,
  relu,
  reshape,
  scale,
  scatterAdd,
  sigmoid,
  sign,
  sin,
  slice,
  softmax,
  softplus,
  solveTriangular,
  split,
  sqrt,
  square,
  squeeze,
  std,
  stopGradient,
  sub,
  sum,
  takeAlongAxis,
  tanh,
  transpose,
  tril,
  triu,
  unsqueeze,
  variance,
  where: whereElse,
};

type Method<F> = F extends (x: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** The operations as methods: `x.mul(y)` is `mul(x, y)`. */
export type TensorMethods = { [Name in keyof typeof methods]: Method<(typeof methods)[Name]> };

for (const [name, method] of Object.entries(methods) as [
  string,
  (x: Tensor, ...rest: unknown[]) => unknown,
][]) {
  Object.defineProperty(Tensor.prototype, name, {
    value(this: Tensor, ...rest: unknown[]): unknown {
      return method(this, ...rest);
    },
    writable: true,
    configurable: true,
  });
}
