import { checkNumbers, fail } from "../../errors/index.js";
import {
  broadcastShapes,
  convert,
  isFloating,
  NDArray,
  promote,
  reserve,
  sizeOf,
  stridedCopy,
  broadcastStrides,
  type DType,
  type Elements,
} from "../../tensor/index.js";
import { asPair, asTensor, counted, floated, type TensorLike } from "../operands.js";
import { op } from "../op.js";
import { apply } from "../record.js";
import { castOp } from "./casting.js";
import type { Tensor } from "../tensor.js";

/** Elements of x repeated to a broadcast shape. */
function repeated(x: NDArray, shape: readonly number[]): NDArray["data"] {
  if (x.size === sizeOf(shape)) return x.data;
  const out = reserve(x.dtype, sizeOf(shape));
  stridedCopy(x.data, 0, shape, broadcastStrides(x.shape, shape), out);
  return out;
}

/** out[i] = left[i] where the mask is not 0, else right[i]; all but the mask of one type. */
function choose(mask: Elements, left: Elements, right: Elements, out: Elements): void {
  if (mask instanceof Uint8Array && left instanceof Float32Array && right instanceof Float32Array)
    for (let i = 0; i < out.length; i++) out[i] = mask[i] !== 0 ? left[i]! : right[i]!;
  else for (let i = 0; i < out.length; i++) out[i] = mask[i] !== 0 ? left[i]! : right[i]!;
}

/** a where the condition holds, else b; each branch receives its share of the cotangent and 0 elsewhere. */
const whereOp = op({
  name: "where",
  forward: ([condition, a, b]) => {
    const dtype = promote(a!.dtype, b!.dtype);
    const shape = broadcastShapes("where", broadcastShapes("where", condition!.shape, a!.shape), b!.shape);
    const out = reserve(dtype, sizeOf(shape));
    const mask = repeated(condition!, shape);
    const left = repeated(convert(a!, dtype), shape);
    const right = repeated(convert(b!, dtype), shape);
    choose(mask, left, right, out);
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [condition], needs }) => [
    undefined,
    needs[1] ? where(condition!, g, 0) : undefined,
    needs[2] ? where(condition!, 0, g) : undefined,
  ],
});

/** x limited to [low, high]; the cotangent passes where low ≤ x ≤ high. */
const clipOp = op<{ readonly low: number; readonly high: number }>({
  name: "clip",
  forward: ([x], { low, high }) => {
    const out = reserve(x!.dtype, x!.size);
    const { data } = x!;
    for (let i = 0; i < out.length; i++) out[i] = Math.min(Math.max(data[i]!, low), high);
    return new NDArray(x!.shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], attributes: { low, high } }) => [
    where(x!.greaterEqual(low).logicalAnd(x!.lessEqual(high)), g, 0),
  ],
});

export const selection = { where: whereOp, clip: clipOp, cast: castOp };

/** a where the condition holds, else b, with broadcasting. The branch not taken receives a cotangent of exactly 0. */
export function where(condition: TensorLike, a: TensorLike, b: TensorLike): Tensor {
  const mask = asTensor(condition);
  if (mask.dtype !== "bool")
    fail("E_DTYPE", `where: expected a bool condition, got ${mask.dtype}; compare it with something`);
  return apply(whereOp, [mask, ...asPair(a, b)], undefined);
}

/**
 * x limited to [low, high]. NaN stays NaN. Integers stay integers when the bounds are whole or infinite. Throws `E_VALUE`
 * when low > high or either is NaN.
 */
export function clip(x: TensorLike, low: number, high: number): Tensor {
  checkNumbers("clip", { low, high });
  if (!(low <= high)) fail("E_VALUE", `clip: expected low ≤ high, got ${low} and ${high}`);
  const whole = low < 2 ** 31 && high >= -(2 ** 31) && [low, high].every((v) => v === Math.trunc(v));
  return apply(clipOp, [whole ? counted(x) : floated(x)], { low, high });
}

/**
 * The elements as another type: to int32 by truncation modulo 2³² (NaN and infinities give 0), to bool as "is not 0". Only
 * floating to floating has a gradient. Throws `E_DTYPE` for an unknown type.
 */
export function cast(x: TensorLike, dtype: DType): Tensor {
  const input = asTensor(x);
  if (input.dtype === dtype && !(input.isLeaf && isFloating(dtype))) return input;
  return apply(castOp, [input], { dtype });
}

/** The same value, through which no gradient flows. */
export function stopGradient(x: TensorLike): Tensor {
  return asTensor(x).detach();
}
