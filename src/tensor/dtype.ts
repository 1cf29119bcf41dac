import { fail, formatGiven } from "../errors/index.js";

/** The element types: `float32` by default, `float64` for verification, `int32` for indices, `bool` for masks. */
export type DType = "float32" | "float64" | "int32" | "bool";

/** The element types that have gradients. */
export type FloatDType = "float32" | "float64";

/** The storage of floating elements. */
export type Floats = Float32Array | Float64Array;

/** The storage of an {@link NDArray}: bool is one byte an element, 0 or 1. */
export type Elements = Float32Array | Float64Array | Int32Array | Uint8Array;

/** Order of promotion: of two types the one further right holds both. */
const promotionOrder: readonly DType[] = ["bool", "int32", "float32", "float64"];

/** Whether a value is the name of an element type. */
export function isDType(value: unknown): value is DType {
  return promotionOrder.includes(value as DType);
}

/** Whether an element type is a floating one. */
export function isFloating(dtype: DType): dtype is FloatDType {
  return dtype === "float32" || dtype === "float64";
}

/**
 * The element type of an operation on two tensors: bool < int32 < float32 < float64. Unlike NumPy, int32 with float32
 * stays float32. A plain number takes the other operand's type, except that a fraction makes an integer float32.
 * docs/element-types.md has the table for every operation.
 */
export function promote(a: DType, b: DType): DType {
  if (a === b) return a;
  return promotionOrder[Math.max(promotionOrder.indexOf(a), promotionOrder.indexOf(b))]!;
}

/** The most elements that a tensor may have, 2 GiB of float32; a request for more is a mistake rather than a wish. */
export const mostElements = 2 ** 29;

/** New storage of `length` elements, all zero. Throws `E_SHAPE` for more than {@link mostElements} or than memory holds. */
export function allocate(dtype: FloatDType, length: number): Floats;
export function allocate(dtype: DType, length: number): Elements;
export function allocate(dtype: DType, length: number): Elements {
  if (length > mostElements)
    fail("E_SHAPE", `a tensor holds at most ${mostElements} elements, ${length} were asked for`);
  try {
    return newStorage(dtype, length);
  } catch (error) {
    if (error instanceof RangeError)
      fail("E_SHAPE", `no memory for ${length} elements of ${dtype} (${error.message}); use smaller tensors`);
    throw error;
  }
}

function newStorage(dtype: DType, length: number): Elements {
  switch (dtype) {
    case "float32":
      return new Float32Array(length);
    case "float64":
      return new Float64Array(length);
    case "int32":
      return new Int32Array(length);
    case "bool":
      return new Uint8Array(length);
    default:
      return fail("E_DTYPE", `expected one of ${promotionOrder.join(", ")}, got ${formatGiven(dtype)}`);
  }
}

/** The element type that a typed array holds; `Uint8Array` is bool. */
export function dtypeOf(elements: Elements): DType {
  if (elements instanceof Float32Array) return "float32";
  if (elements instanceof Float64Array) return "float64";
  if (elements instanceof Int32Array) return "int32";
  return "bool";
}
