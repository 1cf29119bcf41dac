import { checkedOptions, checkNumbers, fail, formatGiven } from "../errors/index.js";
import { Generator } from "../random/index.js";
import {
  allocate,
  checkedShape,
  fromNested,
  fromTyped,
  isDType,
  isFloating,
  NDArray,
  mostElements,
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
    fail("E_DTYPE", `expected float32, float64, int32 or bool, got ${formatGiven(dtype)}`);
  }
}

/**
 * A tensor from a number, nested lists or a typed array (copied; `shape` folds it). Numbers become float32, booleans bool,
 * typed arrays keep their type (a Uint8Array is bool). Another `dtype` converts as {@link cast} does. Throws `E_SHAPE` for
 * ragged lists, `E_VALUE` for what is no number.
 */
export function tensor(data: TensorData, options: CreateOptions & { readonly shape?: Shape } = {}): Tensor {
  checkedOptions("tensor", options);
  checkDType(options.dtype);
  const shape = options.shape === undefined ? undefined : checkedShape("tensor", options.shape);
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
    array = fromTyped(data, shape ?? [data.length], options.dtype);
  } else {
    array = fromNested(data as Nested, options.dtype);
    if (shape !== undefined) array = NDArray.of(shape, array.data);
  }
  return new Tensor(array, options.requiresGrad ?? false);
}

/** A tensor of zeros. */
export function zeros(shape: Shape, options: CreateOptions = {}): Tensor {
  checkedOptions("zeros", options);
  return full(shape, 0, options);
}

/** A tensor of ones. */
export function ones(shape: Shape, options: CreateOptions = {}): Tensor {
  checkedOptions("ones", options);
  return full(shape, 1, options);
}

/** A tensor of one value. */
export function full(shape: Shape, value: number, options: CreateOptions = {}): Tensor {
  checkedOptions("full", options);
  checkDType(options.dtype);
  const sizes = checkedShape("full", shape);
  if (typeof value !== "number")
    fail("E_VALUE", `full: expected a number, got ${typeof value} ${formatGiven(value)}`);
  const array = NDArray.zeros(sizes, options.dtype ?? "float32");
  if (value !== 0 || Object.is(value, -0))
    array.data.fill(array.dtype === "bool" ? Number(value !== 0) : value);
  return new Tensor(array, options.requiresGrad ?? false);
}

/** Zeros in the shape and type of another tensor. */
export function zerosLike(x: Tensor | TensorData): Tensor {
  const { shape, dtype } = x instanceof Tensor ? x : tensor(x);
  return zeros(shape, { dtype });
}

/** Ones in the shape and type of another tensor. */
export function onesLike(x: Tensor | TensorData): Tensor {
  const { shape, dtype } = x instanceof Tensor ? x : tensor(x);
  return ones(shape, { dtype });
}

/** start, start + step, … below stop (above it for a negative step); one argument counts from 0. float32 unless told. */
export function arange(start: number, stop?: number, step = 1, options: CreateOptions = {}): Tensor {
  checkedOptions("arange", options);
  const from = stop === undefined ? 0 : start;
  const to = stop ?? start;
  checkNumbers("arange", { start, stop: to, step });
  if (!Number.isFinite(from) || !Number.isFinite(to) || !Number.isFinite(step) || step === 0) {
    fail("E_VALUE", `arange: expected finite bounds and a step other than 0, got ${from}, ${to}, ${step}`);
  }
  const length = Math.max(0, Math.ceil((to - from) / step));
  if (!(length <= mostElements))
    fail("E_SHAPE", `arange: from ${from} to ${to} in steps of ${step} are too many elements (${length})`);
  return filled([length], (i) => from + i * step, options);
}

/** `count` values from start to stop, both included, evenly spaced. */
export function linspace(start: number, stop: number, count: number, options: CreateOptions = {}): Tensor {
  checkNumbers("linspace", { start, stop });
  checkedOptions("linspace", options);
  return filled(
    checkedShape("linspace", [count]),
    (i) => (i === count - 1 && count > 1 ? stop : start + (i * (stop - start)) / Math.max(1, count - 1)),
    options,
  );
}

/** The identity matrix, `[rows, columns]` with ones on the diagonal. */
export function eye(rows: number, columns = rows, options: CreateOptions = {}): Tensor {
  checkedOptions("eye", options);
  return filled(
    checkedShape("eye", [rows, columns]),
    (i) => (Math.floor(i / columns) === i % columns ? 1 : 0),
    options,
  );
}

function filled(shape: Shape, value: (at: number) => number, options: CreateOptions): Tensor {
  checkDType(options.dtype);
  const array = NDArray.zeros(shape, options.dtype ?? "float32");
  const { data } = array;
  if (array.dtype === "bool") for (let i = 0; i < data.length; i++) data[i] = Number(value(i) !== 0);
  else for (let i = 0; i < data.length; i++) data[i] = value(i);
  return new Tensor(array, options.requiresGrad ?? false);
}

/** Options of random tensors. */
export interface RandomOptions {
  readonly dtype?: FloatDType;
  readonly requiresGrad?: boolean;
}

function floats(shape: Shape, values: Float64Array, options: RandomOptions): Tensor {
  const dtype = options.dtype ?? "float32";
  if (!isFloating(dtype)) fail("E_DTYPE", `random numbers are float32 or float64, got ${formatGiven(dtype)}`);
  const data = allocate(dtype, values.length);
  data.set(values);
  return new Tensor(new NDArray([...shape], dtype, data), options.requiresGrad ?? false);
}

function checkStream(name: string, rng: Generator): void {
  if (!(rng instanceof Generator))
    fail(
      "E_VALUE",
      `${name}: expected a stream of random numbers such as generator(seed), got ${formatGiven(rng)}`,
    );
}

/** Uniform numbers in [low, high) from an explicit stream; what float32 would round up to `high` stays below it. */
export function randomUniform(
  rng: Generator,
  shape: Shape,
  options: RandomOptions & { readonly low?: number; readonly high?: number } = {},
): Tensor {
  checkStream("randomUniform", rng);
  checkedOptions("randomUniform", options);
  const sizes = checkedShape("randomUniform", shape);
  const { low = 0, high = 1 } = options;
  const values = rng.uniforms(sizeOf(sizes), low, high);
  if (options.dtype !== "float64") keepBelow(values, low, high);
  return floats(sizes, values, options);
}

/** Replaces what rounds to `high` or above in float32 by the largest float32 below it, or by `low` where there is none. */
function keepBelow(values: Float64Array, low: number, high: number): void {
  for (let i = 0; i < values.length; i++) {
    if (Math.fround(values[i]!) < high) continue;
    const step = Math.max(Math.abs(high) * 2 ** -24, 2 ** -149);
    values[i] = Math.max(low, Math.fround(high - step) < high ? high - step : high - 2 * step);
  }
}

/** Normal numbers from an explicit stream. */
export function randomNormal(
  rng: Generator,
  shape: Shape,
  options: RandomOptions & { readonly mean?: number; readonly std?: number } = {},
): Tensor {
  checkStream("randomNormal", rng);
  checkedOptions("randomNormal", options);
  const sizes = checkedShape("randomNormal", shape);
  return floats(sizes, rng.normals(sizeOf(sizes), options.mean ?? 0, options.std ?? 1), options);
}

/** Whole numbers in [low, high) from an explicit stream, int32. */
export function randomIntegers(rng: Generator, shape: Shape, low: number, high: number): Tensor {
  checkStream("randomIntegers", rng);
  const sizes = checkedShape("randomIntegers", shape);
  return new Tensor(new NDArray(sizes, "int32", rng.integers(sizeOf(sizes), low, high)));
}

/** A random order of 0 … count−1 from an explicit stream, int32. */
export function randomPermutation(rng: Generator, count: number): Tensor {
  checkStream("randomPermutation", rng);
  const sizes = checkedShape("randomPermutation", [count]);
  return new Tensor(new NDArray(sizes, "int32", rng.permutation(count)));
}
