import { fail } from "../errors/index.js";
import type { Generator } from "../random/index.js";
import {
  allocate,
  checkShape,
  convert,
  fromNested,
  fromTyped,
  isDType,
  isFloating,
  NDArray,
  sizeOf,
  type DType,
  type Elements,
  type FloatDType,
  type Nested,
  type Shape,
} from "../tensor/index.js";
import { Tensor } from "./tensor.js";

/** Options of everything that makes a tensor. */
export interface CreateOptions {
  /** Default `float32`; from data, what the data is. */
  readonly dtype?: DType;
  /** Ask for a gradient. Default false. */
  readonly requiresGrad?: boolean;
}

/** What becomes a tensor at the edge: a number, nested lists, a typed array. */
export type TensorData = Nested | Elements;

function checkDType(dtype: DType | undefined): void {
  if (dtype !== undefined && !isDType(dtype)) {
    fail("E_DTYPE", `expected float32, float64, int32 or bool, got ${String(dtype)}`);
  }
}

/**
 * A tensor from a number, nested lists or a typed array (copied; `shape` folds it). Numbers become float32, booleans bool,
 * typed arrays keep their type. Throws `E_SHAPE` for ragged lists, `E_VALUE` for what is no number.
 */
export function tensor(data: TensorData, options: CreateOptions & { readonly shape?: Shape } = {}): Tensor {
  checkDType(options.dtype);
  if (options.shape) checkShape("tensor", options.shape);
  let array: NDArray;
  if (ArrayBuffer.isView(data)) {
    if (!(
      data instanceof Float32Array ||
      data instanceof Float64Array ||
      data instanceof Int32Array ||
      data instanceof Uint8Array
    )) {
      fail("E_DTYPE", "tensor: expected a Float32Array, Float64Array, Int32Array or Uint8Array (bool)");
    }
    array = fromTyped(data, options.shape ?? [data.length], options.dtype);
  } else {
    array = fromNested(data as Nested, options.dtype);
    if (options.shape) array = NDArray.of(options.shape, array.data);
  }
  return new Tensor(array, options.requiresGrad ?? false);
}

/** A tensor of zeros. */
export function zeros(shape: Shape, options: CreateOptions = {}): Tensor {
  return full(shape, 0, options);
}

/** A tensor of ones. */
export function ones(shape: Shape, options: CreateOptions = {}): Tensor {
  return full(shape, 1, options);
}

/** A tensor of one value. */
export function full(shape: Shape, value: number, options: CreateOptions = {}): Tensor {
  checkDType(options.dtype);
  checkShape("full", shape);
  const array = NDArray.zeros([...shape], options.dtype ?? "float32");
  if (value !== 0 || Object.is(value, -0)) array.data.fill(array.dtype === "bool" ? 1 : value);
  return new Tensor(array, options.requiresGrad ?? false);
}

/** Zeros in the shape and type of another tensor. */
export function zerosLike(x: Tensor): Tensor {
  return zeros(x.shape, { dtype: x.dtype });
}

/** Ones in the shape and type of another tensor. */
export function onesLike(x: Tensor): Tensor {
  return ones(x.shape, { dtype: x.dtype });
}

/** start, start + step, … below stop (above it for a negative step); one argument counts from 0. */
export function arange(start: number, stop?: number, step = 1, options: CreateOptions = {}): Tensor {
  const from = stop === undefined ? 0 : start;
  const to = stop ?? start;
  if (!Number.isFinite(from) || !Number.isFinite(to) || !Number.isFinite(step) || step === 0) {
    fail("E_VALUE", `arange: expected finite bounds and a step other than 0, got ${from}, ${to}, ${step}`);
  }
  const length = Math.max(0, Math.ceil((to - from) / step));
  return filled([length], (i) => from + i * step, options);
}

/** `count` values from start to stop, both included, evenly spaced. */
export function linspace(start: number, stop: number, count: number, options: CreateOptions = {}): Tensor {
  checkShape("linspace", [count]);
  return filled(
    [count],
    (i) => (i === count - 1 && count > 1 ? stop : start + (i * (stop - start)) / Math.max(1, count - 1)),
    options,
  );
}

/** The identity matrix, `[rows, columns]` with ones on the diagonal. */
export function eye(rows: number, columns = rows, options: CreateOptions = {}): Tensor {
  checkShape("eye", [rows, columns]);
  return filled([rows, columns], (i) => (Math.floor(i / columns) === i % columns ? 1 : 0), options);
}

function filled(shape: Shape, value: (at: number) => number, options: CreateOptions): Tensor {
  checkDType(options.dtype);
  const array = NDArray.zeros(shape, options.dtype ?? "float32");
  for (let i = 0; i < array.size; i++) array.data[i] = value(i);
  return new Tensor(array, options.requiresGrad ?? false);
}

/** Options of random tensors. */
export interface RandomOptions {
  readonly dtype?: FloatDType;
  readonly requiresGrad?: boolean;
}

function floats(shape: Shape, values: Float64Array, options: RandomOptions): Tensor {
  const dtype = options.dtype ?? "float32";
  if (!isFloating(dtype)) fail("E_DTYPE", `random numbers are float32 or float64, got ${String(dtype)}`);
  const data = allocate(dtype, values.length);
  data.set(values);
  return new Tensor(new NDArray([...shape], dtype, data), options.requiresGrad ?? false);
}

/** Uniform numbers in [low, high) from an explicit stream. */
export function randomUniform(
  rng: Generator,
  shape: Shape,
  options: RandomOptions & { readonly low?: number; readonly high?: number } = {},
): Tensor {
  checkShape("randomUniform", shape);
  return floats(shape, rng.uniforms(sizeOf(shape), options.low ?? 0, options.high ?? 1), options);
}

/** Normal numbers from an explicit stream. */
export function randomNormal(
  rng: Generator,
  shape: Shape,
  options: RandomOptions & { readonly mean?: number; readonly std?: number } = {},
): Tensor {
  checkShape("randomNormal", shape);
  return floats(shape, rng.normals(sizeOf(shape), options.mean ?? 0, options.std ?? 1), options);
}

/** Whole numbers in [low, high) from an explicit stream, int32. */
export function randomIntegers(rng: Generator, shape: Shape, low: number, high: number): Tensor {
  checkShape("randomIntegers", shape);
  return new Tensor(new NDArray([...shape], "int32", rng.integers(sizeOf(shape), low, high)));
}

/** A random order of 0 … count−1 from an explicit stream, int32. */
export function randomPermutation(rng: Generator, count: number): Tensor {
  checkShape("randomPermutation", [count]);
  return new Tensor(new NDArray([count], "int32", rng.permutation(count)));
}

/** What operations accept where a tensor is meant. */
export type TensorLike = Tensor | TensorData;

/** The tensor itself, or a tensor from data. */
export function asTensor(value: TensorLike, dtype?: DType): Tensor {
  if (value instanceof Tensor) return value;
  return tensor(value, dtype ? { dtype } : {});
}

/**
 * Both operands of an operation as tensors. A plain number takes the other's type (a fraction beside int32 or bool makes
 * float32), so that `x.mul(0.1)` of a float64 tensor is not rounded to float32 first.
 */
export function asPair(a: TensorLike, b: TensorLike): [Tensor, Tensor] {
  if (a instanceof Tensor) return [a, b instanceof Tensor ? b : asOperand(b, a.dtype)];
  if (b instanceof Tensor) return [asOperand(a, b.dtype), b];
  return [tensor(a), tensor(b)];
}

function asOperand(value: TensorData, dtype: DType): Tensor {
  if (typeof value !== "number" && ArrayBuffer.isView(value)) return tensor(value);
  if (isFloating(dtype))
    return value instanceof Object ? tensor(value, { dtype }) : scalar(Number(value), dtype);
  if (typeof value === "boolean") return tensor(value);
  if (typeof value === "number")
    return scalar(value, Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? "int32" : "float32");
  return tensor(value);
}

function scalar(value: number, dtype: DType): Tensor {
  const data = allocate(dtype, 1);
  data[0] = value;
  return new Tensor(new NDArray([], dtype, data));
}

/** The value as another element type, without a record of it. */
export function convertTensor(x: Tensor, dtype: DType): Tensor {
  return new Tensor(convert(x.array, dtype));
}

/** A bool `[length, length]` mask of the diagonal. */
export function eyeLike(length: number): Tensor {
  return eye(length, length, { dtype: "bool" });
}
