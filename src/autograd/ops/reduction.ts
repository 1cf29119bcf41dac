import { fail } from "../../errors/index.js";
import {
  allocate,
  convert,
  formatShape,
  isFloating,
  kernels,
  NDArray,
  normalizeAxes,
  normalizeAxis,
  sizeOf,
  stridedCopy,
  stridesOf,
  type Along,
  type Floats,
  type ReduceOp,
  type Shape,
} from "../../tensor/index.js";
import { asTensor, type TensorLike } from "../create.js";
import { op, type Op, type PlainOp } from "../op.js";
import { apply, applyPlain } from "../record.js";
import type { Tensor } from "../tensor.js";

/** One axis, several, or all when left out. */
export type Axes = number | readonly number[];

/** Options of reductions. */
export interface ReduceOptions {
  /** Keep reduced axes with size 1. Default false. */
  readonly keepDims?: boolean;
}

/** The reduced axes, rising and from 0. Reduction ops always keep them with size 1; the functions drop them. */
interface Reduced {
  readonly axes: readonly number[];
}

/** The shape with the reduced axes at size 1. */
function keptShape(shape: Shape, axes: readonly number[]): number[] {
  return shape.map((length, axis) => (axes.includes(axis) ? 1 : length));
}

/** x as `[outer, length, inner]` around the reduced axes, which are brought next to each other by a copy if need be. */
export function alongAxes(x: NDArray, axes: readonly number[]): { data: NDArray["data"]; along: Along } {
  const { shape } = x;
  const adjacent = axes.every((axis, i) => i === 0 || axis === axes[i - 1]! + 1);
  if (axes.length === 0) return { data: x.data, along: { outer: x.size, length: 1, inner: 1 } };
  if (adjacent) {
    const first = axes[0]!;
    const end = axes[axes.length - 1]! + 1;
    return {
      data: x.data,
      along: {
        outer: sizeOf(shape.slice(0, first)),
        length: sizeOf(shape.slice(first, end)),
        inner: sizeOf(shape.slice(end)),
      },
    };
  }
  const order = [...shape.keys()].filter((axis) => !axes.includes(axis)).concat(axes);
  const strides = stridesOf(shape);
  const dims = order.map((axis) => shape[axis]!);
  const data = allocate(x.dtype, x.size);
  stridedCopy(
    x.data,
    0,
    dims,
    order.map((axis) => strides[axis]!),
    data,
  );
  const length = sizeOf(axes.map((axis) => shape[axis]!));
  return { data, along: { outer: sizeOf(dims.slice(0, dims.length - axes.length)), length, inner: 1 } };
}

function reduceForward(name: ReduceOp, x: NDArray, axes: readonly number[]): NDArray {
  const shape = keptShape(x.shape, axes);
  const { data, along } = alongAxes(x, axes);
  if ((name === "max" || name === "min") && along.length === 0 && sizeOf(shape) > 0) {
    fail("E_SHAPE", `${name}: the ${name} of no elements is not defined, shape ${formatShape(x.shape)}`);
  }
  if (isFloating(x.dtype)) {
    const out = allocate(x.dtype, sizeOf(shape));
    kernels().reduce(name, along, data as Floats, out);
    return new NDArray(shape, x.dtype, out);
  }
  const exact = new Float64Array(sizeOf(shape));
  kernels().reduce(name, along, Float64Array.from(data), exact);
  return new NDArray(shape, "int32", Int32Array.from(exact));
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
      return [g.div(winners.sum(axes, { keepDims: true })).scale(winners)];
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

/** ln Σeˣ: ∂x = g·softmax(x), with 0 where the whole row is −∞. */
const logsumexpOp = op<Reduced>({
  name: "logsumexp",
  forward: ([x], { axes }) => {
    const { data, along } = alongAxes(x!, axes);
    const shape = keptShape(x!.shape, axes);
    const dtype = x!.dtype as "float32";
    const rows = along.inner === 1 ? (data as Floats) : lastAxis(data as Floats, along, dtype);
    const out = allocate(dtype, sizeOf(shape));
    if (along.length === 0) out.fill(-Infinity);
    else kernels().logSumExp(along.length, rows, out);
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], output: y }) => {
    const shift = y.where(y.isFinite(), 0);
    return [g.scale(x!.sub(shift).exp().where(y.greater(-Infinity), 0))];
  },
});

/** `[outer, length, inner]` copied to `[outer, inner, length]`. */
function lastAxis(data: Floats, { outer, length, inner }: Along, dtype: "float32"): Floats {
  const out = allocate(dtype, data.length);
  stridedCopy(data, 0, [outer, inner, length], [length * inner, 1, inner], out);
  return out;
}

/** √Σx²: ∂x = g·x/y, and 0 where y = 0. Scaled by the largest magnitude, so that squares neither overflow nor vanish. */
const normOp = op<Reduced>({
  name: "norm",
  forward: ([x], { axes }) => {
    const floating = isFloating(x!.dtype) ? x! : convert(x!, "float32");
    const { data, along } = alongAxes(floating, axes);
    const dtype = floating.dtype as "float32";
    const shape = keptShape(x!.shape, axes);
    const rows = along.inner === 1 ? (data as Floats) : lastAxis(data as Floats, along, dtype);
    const out = allocate(dtype, sizeOf(shape));
    const row = allocate(dtype, along.length);
    const one = allocate(dtype, 1);
    for (let r = 0; r < out.length; r++) {
      let largest = 0;
      for (let i = 0; i < along.length; i++)
        largest = Math.max(largest, Math.abs(rows[r * along.length + i]!));
      const safe = largest > 0 && largest < Infinity ? largest : 1;
      for (let i = 0; i < along.length; i++) {
        row[i] = rows[r * along.length + i]! / safe;
        row[i] = row[i]! * row[i]!;
      }
      kernels().reduce("sum", { outer: 1, length: along.length, inner: 1 }, row, one);
      one[0] = Math.sqrt(one[0]!);
      out[r] = one[0]! * safe;
    }
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], output: y }) => {
    const zero = y.equal(0);
    return [g.scale(x!.div(y.where(zero.logicalNot(), 1)).where(zero.logicalNot(), 0))];
  },
});

const arg = (
  name: "argmax" | "argmin",
  better: (a: number, b: number) => boolean,
): PlainOp<{ readonly axis: number }> => ({
  name,
  forward: ([x], { axis }) => {
    const { data, along } = alongAxes(x!, [axis]);
    const { outer, length, inner } = along;
    if (length === 0)
      fail("E_SHAPE", `${name}: axis ${axis} of shape ${formatShape(x!.shape)} has no elements`);
    const out = new Int32Array(outer * inner);
    for (let o = 0; o < outer; o++) {
      for (let j = 0; j < inner; j++) {
        let best = 0;
        for (let i = 1; i < length; i++) {
          const value = data[(o * length + i) * inner + j]!;
          const current = data[(o * length + best) * inner + j]!;
          if (better(value, current) || (Number.isNaN(value) && !Number.isNaN(current))) best = i;
        }
        out[o * inner + j] = best;
      }
    }
    return new NDArray(keptShape(x!.shape, [axis]), "int32", out);
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

/** Operations whose result is an index: without a gradient. */
export const position = { argmax: arg("argmax", (a, b) => a > b), argmin: arg("argmin", (a, b) => a < b) };

function reduce(
  operation: Op<Reduced>,
  x: TensorLike,
  axis: Axes | undefined,
  options: ReduceOptions,
): Tensor {
  const input = asTensor(x);
  const axes = normalizeAxes(operation.name, axis, input.rank);
  const kept = apply(operation, [input], { axes });
  return options.keepDims || axes.length === 0 ? kept : dropAxes(kept, axes);
}

function dropAxes(x: Tensor, axes: readonly number[]): Tensor {
  return x.reshape(x.shape.filter((_, axis) => !axes.includes(axis)));
}

const floated = (x: TensorLike): Tensor => {
  const input = asTensor(x);
  return isFloating(input.dtype) ? input : input.cast("float32");
};

/** The sum along the axes (all when left out); of nothing 0. int32 and bool give int32. */
export function sum(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.sum, x, axis, options);
}

/** The arithmetic mean along the axes; of nothing NaN. */
export function mean(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  const input = floated(x);
  const count = sizeOf(normalizeAxes("mean", axis, input.rank).map((i) => input.shape[i]!));
  return sum(input, axis, options).div(count);
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

/** Options of {@link variance} and {@link std}. */
export interface VarianceOptions extends ReduceOptions {
  /** Divides by n − correction. Default 1, the unbiased variance; 0 is the population's. */
  readonly correction?: number;
}

/** Σ(x − mean)²/(n − correction) along the axes; NaN where n ≤ correction. */
export function variance(x: TensorLike, axis?: Axes, options: VarianceOptions = {}): Tensor {
  const input = floated(x);
  const axes = normalizeAxes("variance", axis, input.rank);
  const count = sizeOf(axes.map((i) => input.shape[i]!)) - (options.correction ?? 1);
  const centred = input.sub(mean(input, axes, { keepDims: true }));
  return sum(centred.square(), axes, options).div(count > 0 ? count : NaN);
}

/** √variance along the axes; the gradient of a constant list is 0. */
export function std(x: TensorLike, axis?: Axes, options: VarianceOptions = {}): Tensor {
  const v = variance(x, axis, options);
  const positive = v.notEqual(0);
  return v.where(positive, 1).sqrt().where(positive, 0);
}

/** √Σx² along the axes (the Euclidean norm); the gradient at 0 is 0. */
export function norm(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.norm, floated(x), axis, options);
}

/** ln Σeˣ along the axes; −∞ for a list of −∞, with a gradient of 0. */
export function logsumexp(x: TensorLike, axis?: Axes, options: ReduceOptions = {}): Tensor {
  return reduce(reduction.logsumexp, floated(x), axis, options);
}

function argument(
  operation: PlainOp<{ readonly axis: number }>,
  x: TensorLike,
  axis: number | undefined,
  options: ReduceOptions,
): Tensor {
  const input = asTensor(x);
  if (axis === undefined) {
    const flat = applyPlain(operation, [input.reshape([input.size])], { axis: 0 });
    return flat.reshape(options.keepDims ? input.shape.map(() => 1) : []);
  }
  const at = normalizeAxis(operation.name, axis, input.rank);
  const kept = applyPlain(operation, [input], { axis: at });
  return options.keepDims ? kept : dropAxes(kept, [at]);
}

/** The index of the first largest element along an axis (of the flat tensor when left out), int32; NaN counts as largest. */
export function argmax(x: TensorLike, axis?: number, options: ReduceOptions = {}): Tensor {
  return argument(position.argmax, x, axis, options);
}

/** The index of the first smallest element along an axis (of the flat tensor when left out), int32; NaN counts as smallest. */
export function argmin(x: TensorLike, axis?: number, options: ReduceOptions = {}): Tensor {
  return argument(position.argmin, x, axis, options);
}
