import { fail, formatGiven } from "../errors/index.js";
import { allocate, convert, isFloating, NDArray, type DType } from "../tensor/index.js";
import { tensor, type TensorData } from "./create.js";
import { castOp } from "./ops/casting.js";
import { apply } from "./record.js";
import { Tensor } from "./tensor.js";

/** What operations accept where a tensor is meant. */
export type TensorLike = Tensor | TensorData;

/** The tensor itself, or a tensor from data. */
export function asTensor(value: TensorLike, dtype?: DType): Tensor {
  if (value instanceof Tensor) return value;
  return tensor(value, dtype ? { dtype } : {});
}

/** A list of tensors from a list of tensors or data. Throws `E_SHAPE` for what is no list. */
export function asTensors(name: string, list: readonly TensorLike[]): Tensor[] {
  if (!Array.isArray(list))
    fail(
      "E_SHAPE",
      `${name}: expected a list of tensors, got ${list instanceof Tensor ? "one" : formatGiven(list)}`,
    );
  // A loop: of a list that is asked for at every step, Array.from takes several times as long.
  const tensors = new Array<Tensor>(list.length);
  for (let i = 0; i < tensors.length; i++) tensors[i] = asTensor((list as readonly TensorLike[])[i]!);
  return tensors;
}

/** The tensor, int32 and bool as float32: for functions whose results are fractions. */
export function floated(x: TensorLike): Tensor {
  const input = asTensor(x);
  return isFloating(input.dtype) ? input : convertTensor(input, "float32");
}

/** The tensor, bool as int32: for functions that count. */
export function counted(x: TensorLike): Tensor {
  const input = asTensor(x);
  return input.dtype === "bool" ? convertTensor(input, "int32") : input;
}

/**
 * Both operands of an operation as tensors. Plain numbers, also in lists, take the other's type (a fraction beside int32 or
 * bool makes float32), so that `x.mul(0.1)` of a float64 tensor is not rounded to float32 first.
 */
export function asPair(a: TensorLike, b: TensorLike): [Tensor, Tensor] {
  if (a instanceof Tensor) return [a, b instanceof Tensor ? b : asOperand(b, a.dtype)];
  if (b instanceof Tensor) return [asOperand(a, b.dtype), b];
  return [tensor(a), tensor(b)];
}

function asOperand(value: TensorData, dtype: DType): Tensor {
  if (typeof value === "number")
    return scalar(value, isFloating(dtype) || isInt32(value) ? dtype : "float32");
  if (typeof value === "boolean" || ArrayBuffer.isView(value)) return tensor(value);
  if (isFloating(dtype)) return tensor(value, { dtype });
  const exact = tensor(value, { dtype: "float64" });
  const { data } = exact.array;
  const given = tensor(value);
  return given.dtype === "bool" || !data.every(isInt32) ? given : new Tensor(convert(exact.array, "int32"));
}

function isInt32(value: number): boolean {
  return (value | 0) === value;
}

/** A tensor of rank 0; a number beside bool counts as int32. */
function scalar(value: number, dtype: DType): Tensor {
  const type = dtype === "bool" ? "int32" : dtype;
  const data = allocate(type, 1);
  data[0] = value;
  return new Tensor(new NDArray([], type, data));
}

/** The value as another element type, of which one at least is no floating type: it has no gradient. */
export function convertTensor(x: Tensor, dtype: DType): Tensor {
  return x.dtype === dtype ? x : apply(castOp, [x], { dtype });
}
