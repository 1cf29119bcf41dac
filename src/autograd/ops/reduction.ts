import { checkedOptions, fail } from "../../errors/index.js";
import {
  formatShape,
  isFloating,
  kernels,
  NDArray,
  normalizeAxes,
  reserve,
  sizeOf,
  type FloatDType,
  type Floats,
  type ReduceOp,
} from "../../tensor/index.js";
import { zerosLike } from "../create.js";
import { asTensor, floated, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";
import { alongAxes, asRows, keptShape } from "./along-axes.js";
import { integerReduce } from "./integer-fold.js";

/** One axis, several, or all when left out. */
export type Axes = number | readonly number[];

/** Options of reductions. */
export interface ReduceOptions {
  /** Keep reduced axes with size 1. Default false. */
  readonly keepDims?: boolean;
}

/** The reduced axes, rising and from 0. Reduction ops always keep them with size 1; the functions drop them. */
export interface Reduced {
  readonly axes: readonly number[];
}

function reduceForward(name: ReduceOp, x: NDArray, axes: readonly number[]): NDArray {
  const shape = keptShape(x.shape, axes);
  const { data, along } = alongAxes(x, axes);
  if ((name === "max" || name === "min") && along.length === 0 && sizeOf(shape) > 0) {
    fail("E_SHAPE", `${name}: the ${name} of no elements is not defined, shape ${formatShape(x.shape)}`);
  }
  if (!isFloating(x.dtype)) return new NDArray(shape, "int32", integerReduce(name, along, data));
  const out = reserve(x.dtype, sizeOf(shape));
  kernels().reduce(name, along, data as Floats, out);
  return new NDArray(shape, x.dtype, out);
}

/** Σx: every element receives the cotangent. */
const sumOp = op<Reduced>({
  name: "sum",
  forward: ([x], { axes }) => reduceForward("sum", x!, axes),
  vjp: ({ cotangent: g, inputs: [x] }) => [g.expand(x!.shape)],
});

/** Largest or smallest: ties share the cotangent equally. */
const extremum = (name: "max" | "min"): Op<Reduced> =>
  op<Reduced>({
    name,
    forward: ([x], { axes }) => reduceForward(name, x!, axes),
    vjp: ({ cotangent: g, inputs: [x], output: y, attributes: { axes } }) => {
      const winners = x!.equal(y).logicalOr(x!.isNaN()).cast(g.dtype);
      return [winners.scale(g.div(winners.sum(axes, { keepDims: true })))];
    },
  });

/**
 * Πx: ∂xᵢ = g·Π_{j≠i} xⱼ, by products from the left and from the right instead of a division, so that zeros are right.
 */
const prodOp = op<Reduced>({
  name: "prod",
  forward: ([x], { axes }) => reduceForward("prod", x!, axes),
  vjp: ({ cotangent: g, inputs, attributes: { axes } }) => {
    const x = inputs[0]!;
    if (axes.length === 0) return [g];
    const kept = [...x.shape.keys()].filter((axis) => !axes.includes(axis));
    const order = [...kept, ...axes];
    const moved = x.permute(order);
    const rows = moved.reshape([
      sizeOf(kept.map((axis) => x.shape[axis]!)),
      sizeOf(axes.map((axis) => x.shape[axis]!)),
    ]);
    const others = productOfOthers(rows);
    const back = order.map((_, axis) => order.indexOf(axis));
    return [g.scale(others.reshape(moved.shape).permute(back))];
  },
});

/** For each element of a row the product of all others: exclusive products from both ends. */
function productOfOthers(rows: Tensor): Tensor {
  const length = rows.shape[1]!;
  if (length === 0) return rows;
  const shifted = (x: Tensor): Tensor =>
    x
      .slice([null, [0, length - 1]])
      .pad(
        [
          [0, 0],
          [1, 0],
        ],
        1,
      )
      .cumprod(1);
  return shifted(rows).mul(shifted(rows.flip([1])).flip([1]));
}

/**
 * ln Σeˣ: ∂x = g·softmax(x); 0 where the whole row is −∞, and all of it for what is +∞. The softmax is taken from the
 * largest entry, not from y: beside huge entries y is rounded by more than ln of their number.
 */
const logsumexpOp = op<Reduced>({
  name: "logsumexp",
  forward: ([x], { axes }) => {
    const { data, along } = asRows(x!, axes);
    const shape = keptShape(x!.shape, axes);
    const out = reserve(x!.dtype as FloatDType, sizeOf(shape));
    if (along.length === 0) out.fill(-Infinity);
    else kernels().logSumExp(along.length, data as Floats, out);
    return new NDArray(shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs, output: y, attributes: { axes } }) => {
    const x = inputs[0]!;
    if (x.size === 0) return [zerosLike(x)];
    const infinite = y.abs().equal(Infinity);
    const largest = x.stopGradient().max(axes, { keepDims: true });
    const powers = x.sub(largest.where(infinite.logicalNot(), 0)).exp();
    const soft = powers.div(powers.sum(axes, { keepDims: true }));
    return [g.scale(x.equal(Infinity).cast(g.dtype).where(infinite, soft))];
  },
});

/** √Σx²: ∂x = g·x/y, and 0 where y = 0. Scaled by the largest magnitude, so that squares neither overflow nor vanish. */
const normOp = op<Reduced>({
  name: "norm",
  forward: ([x], { axes }) => {
    const { data, along } = asRows(x!, axes);
    const shape = keptShape(x!.shape, axes);
    const out = reserve(x!.dtype as FloatDType, sizeOf(shape));
    kernels().norm(along.length, data as Floats, out);
    return new NDArray(shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], output: y }) => {
    const positive = y.notEqual(0);
    return [g.scale(x!.div(y.where(positive, 1)).where(positive, 0))];
  },
});

export const reduction = {
  sum: sumOp,
  max: extremum("max"),
  min: extremum("min"),
  prod: prodOp,
  logsumexp: logsumexpOp,
  norm: normOp,
};

function reduce(
  operation: Op<Reduced>,
  x: TensorLike,
  axis: Axes | undefined,
  options: ReduceOptions,
): Tensor {
  checkedOptions(operation.name, options);
  const input = asTensor(x);
  const axes = normalizeAxes(operation.name, axis, input.rank);
  const kept = apply(operation, [input], { axes });
  return options.keepDims || axes.length === 0 ? kept : dropAxes(kept, axes);
}

/** Without axes that a reduction left at size 1. */
export function dropAxes(x: Tensor, axes: readonly number[]): Tensor {
  return x.reshape(x.shape.filter((_, axis) => !axes.includes(axis)));
}

/** The sum along the axes (all when left out); of nothing 0. int32 and bool give int32. */
export function sum(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.sum, x, axis, options);
}

/** The largest element along the axes; ties share the gradient, NaN wins. Throws `E_SHAPE` for no elements. */
export function max(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.max, x, axis, options);
}

/** The smallest element along the axes; ties share the gradient, NaN wins. Throws `E_SHAPE` for no elements. */
export function min(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.min, x, axis, options);
}

/** The product along the axes; of nothing 1. The gradient is right with zeros among the factors. */
export function prod(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.prod, x, axis, options);
}

/** √Σx² along the axes (the Euclidean norm); the gradient at 0 is 0. */
export function norm(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.norm, floated(x), axis, options);
}

/** ln Σeˣ along the axes; −∞ for a list of −∞, with a gradient of 0. */
export function logsumexp(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.logsumexp, floated(x), axis, options);
}
