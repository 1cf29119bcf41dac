import "./methods.js";

export { backward, gradients, type GradientOptions } from "./backward.js";
export {
  arange,
  eye,
  full,
  linspace,
  ones,
  onesLike,
  randomIntegers,
  randomNormal,
  randomPermutation,
  randomUniform,
  tensor,
  zeros,
  zerosLike,
  type CreateOptions,
  type RandomOptions,
  type TensorData,
} from "./create.js";
export { defineOp } from "./define-op.js";
export { grad, hvp, jvp, valueAndGrad, vjp, type GradOptions } from "./derivatives.js";
export { gradcheck, type GradcheckOptions, type GradcheckResult } from "./gradcheck.js";
export type { Op, PlainOp, VjpContext } from "./op.js";
export { add, div, maximum, minimum, mul, pow, scale, sub } from "./ops/arithmetic.js";
export {
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
export { einsum } from "./ops/einsum.js";
export {
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
export { gather, scatterAdd, takeAlongAxis } from "./ops/indexing.js";
export { concat, pad, split, stack } from "./ops/joining.js";
export { cholesky, solveTriangular, svd } from "./ops/linear-algebra.js";
export { logSoftmax, normalize, softmax } from "./ops/normalization.js";
export { matmul } from "./ops/product.js";
export { argmax, argmin } from "./ops/position.js";
export { logsumexp, max, min, norm, prod, sum, type Axes, type ReduceOptions } from "./ops/reduction.js";
export { cumprod, cumsum } from "./ops/scan.js";
export { cast, clip, stopGradient, where } from "./ops/selection.js";
export { expand, flip, permute, reshape, squeeze, transpose, tril, triu, unsqueeze } from "./ops/shaping.js";
export { slice, type Range } from "./ops/slicing.js";
export { mean, std, variance, type VarianceOptions } from "./ops/statistics.js";
export { asTensor, type TensorLike } from "./operands.js";
export { isRecording, noGrad } from "./record.js";
export { rules, withoutGradient } from "./rules.js";
export { keep, scope } from "./scope.js";
export { Tensor } from "./tensor.js";
export { mapTree, type Tree } from "./tree.js";
export type { WalkOptions } from "./walker.js";
