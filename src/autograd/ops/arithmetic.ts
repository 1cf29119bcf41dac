import {
  reserve,
  broadcastLayout,
  broadcastShapes,
  convert,
  isFloating,
  kernels,
  NDArray,
  promote,
  sizeOf,
  type BinaryOp,
  type DType,
} from "../../tensor/index.js";
import { asPair, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";
import { integerBinary } from "./integer-binary.js";

/** The value of a binary operation with promotion and broadcasting; `floating` demands a floating result (division). */
export function binaryForward(name: BinaryOp, a: NDArray, b: NDArray, floating = false): NDArray {
  let dtype: DType = promote(a.dtype, b.dtype);
  if (!isFloating(dtype)) {
    if (!floating) return integerBinary(name, a, b);
    dtype = "float32";
  }
  const left = convert(a, dtype);
  const right = convert(b, dtype);
  const shape = broadcastShapes(name, a.shape, b.shape);
  const out = reserve(dtype as "float32" | "float64", sizeOf(shape));
  const layout = broadcastLayout(shape, a.shape, b.shape);
  kernels().binary(name, layout, left.data as Float32Array, right.data as Float32Array, out);
  return new NDArray(shape, dtype, out);
}

/** a + b */
const addOp = op({
  name: "add",
  forward: ([a, b]) => binaryForward("add", a!, b!),
  vjp: ({ cotangent }) => [cotangent, cotangent],
});

/** a − b */
const subOp = op({
  name: "sub",
  forward: ([a, b]) => binaryForward("sub", a!, b!),
  vjp: ({ cotangent, needs }) => [cotangent, needs[1] ? cotangent.neg() : undefined],
});

/** a·b: ∂a = g·b, ∂b = g·a */
const mulOp = op({
  name: "mul",
  forward: ([a, b]) => binaryForward("mul", a!, b!),
  vjp: ({ cotangent: g, inputs: [a, b], needs }) => [
    needs[0] ? scale(g, b!) : undefined,
    needs[1] ? scale(g, a!) : undefined,
  ],
});

/** a/b: ∂a = g/b, ∂b = −g·(a/b)/b */
const divOp = op({
  name: "div",
  forward: ([a, b]) => binaryForward("div", a!, b!, true),
  vjp: ({ cotangent: g, inputs: [a, b], needs }) => [
    needs[0] ? scale(g, b!.reciprocal()) : undefined,
    needs[1] ? scale(g, a!.div(b!).div(b!).neg()) : undefined,
  ],
});

/**
 * a·b, but exactly 0 wherever a is 0. The chain rule multiplies cotangents by this: where nothing flows back (the branch
 * of a `where` that was not taken), an infinite or undefined local derivative must not turn 0 into NaN. By the same
 * definition ∂b is 0 wherever a is.
 */
const scaleOp = op({
  name: "scale",
  forward: ([a, b]) => binaryForward("scale", a!, b!),
  vjp: ({ cotangent: g, inputs: [a, b], needs }) => [
    needs[0] ? scale(g, b!) : undefined,
    needs[1] ? scale(g, a!).where(a!.notEqual(0), 0) : undefined,
  ],
});

/**
 * aᵇ: ∂a = g·b·a^{b−1} (0 where b = 0), ∂b = g·aᵇ·ln a (0 where a = 0 and b ≥ 0: the limit of aᵇ·ln a for b > 0).
 */
const powOp = op({
  name: "pow",
  forward: ([a, b]) => binaryForward("pow", a!, b!, true),
  vjp: ({ cotangent: g, inputs, output: y, needs }) => {
    const [a, b] = inputs as [Tensor, Tensor];
    const slope = needs[0] ? scale(b, a.pow(b.sub(1))) : undefined;
    const atZero = needs[1] ? a.equal(0).logicalAnd(b.greaterEqual(0)) : undefined;
    return [slope && scale(g, slope), atZero && scale(g, scale(y, a.log()).where(atZero.logicalNot(), 0))];
  },
});

/** The larger of two; where they are equal each receives half of the cotangent. NaN wins. */
const maximumOp = op({
  name: "maximum",
  forward: ([a, b]) => binaryForward("maximum", a!, b!),
  vjp: ({ cotangent: g, inputs: [a, b] }) => shareOfWinner(g, a!.greater(b!), b!.greater(a!)),
});

/** The smaller of two; where they are equal each receives half of the cotangent. NaN wins. */
const minimumOp = op({
  name: "minimum",
  forward: ([a, b]) => binaryForward("minimum", a!, b!),
  vjp: ({ cotangent: g, inputs: [a, b] }) => shareOfWinner(g, a!.less(b!), b!.less(a!)),
});

/** The share comes first in `scale`: a loser receives 0 even where the cotangent is infinite. */
function shareOfWinner(g: Tensor, first: Tensor, second: Tensor): [Tensor, Tensor] {
  const share = (wins: Tensor, loses: Tensor): Tensor =>
    wins.cast(g.dtype).sub(loses.cast(g.dtype)).add(1).mul(0.5);
  return [scale(share(first, second), g), scale(share(second, first), g)];
}

export const arithmetic = {
  add: addOp,
  sub: subOp,
  mul: mulOp,
  div: divOp,
  scale: scaleOp,
  pow: powOp,
  maximum: maximumOp,
  minimum: minimumOp,
};

const binary = (operation: Op, a: TensorLike, b: TensorLike): Tensor =>
  apply(operation, asPair(a, b), undefined);

/** a + b with broadcasting. */
export function add(a: TensorLike, b: TensorLike): Tensor {
  return binary(addOp, a, b);
}

/** a − b with broadcasting. */
export function sub(a: TensorLike, b: TensorLike): Tensor {
  return binary(subOp, a, b);
}

/** a·b, element by element, with broadcasting. */
export function mul(a: TensorLike, b: TensorLike): Tensor {
  return binary(mulOp, a, b);
}

/** a/b with broadcasting; integers give float32. */
export function div(a: TensorLike, b: TensorLike): Tensor {
  return binary(divOp, a, b);
}

/** a·b, but exactly 0 wherever a is 0, whatever b is. What gradient rules multiply cotangents with. */
export function scale(a: TensorLike, b: TensorLike): Tensor {
  return binary(scaleOp, a, b);
}

/** aᵇ with broadcasting; integers give float32. The derivative at a = 0, b = 0 is 0 in both. */
export function pow(a: TensorLike, b: TensorLike): Tensor {
  return binary(powOp, a, b);
}

/** The larger of a and b; equal ones share the cotangent. */
export function maximum(a: TensorLike, b: TensorLike): Tensor {
  return binary(maximumOp, a, b);
}

/** The smaller of a and b; equal ones share the cotangent. */
export function minimum(a: TensorLike, b: TensorLike): Tensor {
  return binary(minimumOp, a, b);
}
