import { NDArray, reserve } from "../../tensor/index.js";
import { asPair, asTensor, type TensorLike } from "../operands.js";
import type { PlainOp } from "../op.js";
import { applyPlain } from "../record.js";
import type { Tensor } from "../tensor.js";
import { elementwise } from "./integer-binary.js";

const compare = (name: string, f: (a: number, b: number) => boolean): PlainOp => ({
  name,
  forward: ([a, b]) => elementwise(name, a!, b!, "bool", (x, y) => (f(x, y) ? 1 : 0)),
});

const test = (name: string, f: (x: number) => boolean): PlainOp => ({
  name,
  forward: ([x]) => {
    const { data } = x!;
    const out = reserve("bool", data.length);
    for (let i = 0; i < out.length; i++) out[i] = f(data[i]!) ? 1 : 0;
    return new NDArray(x!.shape, "bool", out);
  },
});

/** Operations with a bool result: piecewise constant, so without a gradient. */
export const comparison = {
  equal: compare("equal", (a, b) => a === b),
  notEqual: compare("notEqual", (a, b) => a !== b),
  less: compare("less", (a, b) => a < b),
  lessEqual: compare("lessEqual", (a, b) => a <= b),
  greater: compare("greater", (a, b) => a > b),
  greaterEqual: compare("greaterEqual", (a, b) => a >= b),
  logicalAnd: compare("logicalAnd", (a, b) => a !== 0 && b !== 0),
  logicalOr: compare("logicalOr", (a, b) => a !== 0 || b !== 0),
  logicalNot: test("logicalNot", (x) => x === 0),
  isNaN: test("isNaN", Number.isNaN),
  isFinite: test("isFinite", Number.isFinite),
};

const pair = (operation: PlainOp, a: TensorLike, b: TensorLike): Tensor =>
  applyPlain(operation, asPair(a, b), undefined);
const single = (operation: PlainOp, x: TensorLike): Tensor => applyPlain(operation, [asTensor(x)], undefined);

/** a = b, element by element; NaN equals nothing. */
export function equal(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.equal, a, b);
}

/** a ≠ b, element by element. */
export function notEqual(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.notEqual, a, b);
}

/** a < b, element by element. */
export function less(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.less, a, b);
}

/** a ≤ b, element by element. */
export function lessEqual(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.lessEqual, a, b);
}

/** a > b, element by element. */
export function greater(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.greater, a, b);
}

/** a ≥ b, element by element. */
export function greaterEqual(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.greaterEqual, a, b);
}

/** Both are not 0. */
export function logicalAnd(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.logicalAnd, a, b);
}

/** Either is not 0. */
export function logicalOr(a: TensorLike, b: TensorLike): Tensor {
  return pair(comparison.logicalOr, a, b);
}

/** It is 0. */
export function logicalNot(x: TensorLike): Tensor {
  return single(comparison.logicalNot, x);
}

/** It is not a number. */
export function isNaN(x: TensorLike): Tensor {
  return single(comparison.isNaN, x);
}

/** It is neither infinite nor NaN. */
export function isFinite(x: TensorLike): Tensor {
  return single(comparison.isFinite, x);
}
