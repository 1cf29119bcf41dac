import { fail } from "../../errors/index.js";
import {
  broadcastsTo,
  broadcastStrides,
  checkedShape,
  formatGiven,
  formatShape,
  mapNumbers,
  NDArray,
  normalizeAxes,
  normalizeAxis,
  reserve,
  sameShape,
  sizeOf,
  stridedCopy,
  stridesOf,
  type Shape,
} from "../../tensor/index.js";
import { asTensor, type TensorLike } from "../operands.js";
import { op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";

/** Copies the walk over x given by dims and strides into a new array. */
function walked(x: NDArray, dims: Shape, strides: readonly number[], offset = 0): NDArray {
  const out = reserve(x.dtype, sizeOf(dims));
  if (out.length > 0) stridedCopy(x.data, offset, dims, strides, out);
  return new NDArray(dims, x.dtype, out);
}

/** The same elements in another shape. */
const reshapeOp = op<{ readonly shape: Shape }>({
  name: "reshape",
  forward: ([x], { shape }) => x!.withShape(shape),
  vjp: ({ cotangent: g, inputs: [x] }) => [g.reshape(x!.shape)],
});

/** Axes in another order: out.shape[i] = x.shape[axes[i]]. */
const permuteOp = op<{ readonly axes: readonly number[] }>({
  name: "permute",
  forward: ([x], { axes }) => {
    const strides = stridesOf(x!.shape);
    return walked(
      x!,
      mapNumbers(axes, (axis) => x!.shape[axis]!),
      mapNumbers(axes, (axis) => strides[axis]!),
    );
  },
  vjp: ({ cotangent: g, attributes: { axes } }) => [
    g.permute(mapNumbers(axes, (_, axis) => axes.indexOf(axis))),
  ],
});

/** Repeats along axes of size 1 and new leading axes; the walker sums the cotangent back down. */
const expandOp = op<{ readonly shape: Shape }>({
  name: "expand",
  forward: ([x], { shape }) => walked(x!, shape, broadcastStrides(x!.shape, shape)),
  vjp: ({ cotangent }) => [cotangent],
});

/** The order of elements reversed along axes. */
const flipOp = op<{ readonly axes: readonly number[] }>({
  name: "flip",
  forward: ([x], { axes }) => {
    const strides = stridesOf(x!.shape);
    const flipped = mapNumbers(strides, (stride, axis) => (axes.includes(axis) ? -stride : stride));
    const offset = axes.reduce((at, axis) => at + Math.max(0, x!.shape[axis]! - 1) * strides[axis]!, 0);
    return walked(x!, x!.shape, flipped, offset);
  },
  vjp: ({ cotangent: g, attributes: { axes } }) => [g.flip(axes)],
});

/** The lower (or upper) triangle of the last two axes, zeros elsewhere. */
const triangleOp = op<{ readonly k: number; readonly upper: boolean }>({
  name: "triangle",
  forward: ([x], { k, upper }) => {
    const [rows, columns] = x!.shape.slice(-2) as [number, number];
    const out = reserve(x!.dtype, x!.size).fill(0);
    const { data } = x!;
    for (let at = 0; at < out.length; at++) {
      const j = at % columns;
      const i = Math.floor(at / columns) % rows;
      if (upper ? j - i >= k : j - i <= k) out[at] = data[at]!;
    }
    return new NDArray(x!.shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, attributes: { k, upper } }) => [upper ? g.triu(k) : g.tril(k)],
});

/** Whether the tensor itself may stand for the result. A leaf may not: a later assign() would change the result too. */
function unchanged(input: Tensor, same: boolean): boolean {
  return same && !input.isLeaf;
}

export const shaping = {
  reshape: reshapeOp,
  permute: permuteOp,
  expand: expandOp,
  flip: flipOp,
  triangle: triangleOp,
};

/** The same elements in another shape of the same size; one size may be −1 and is then worked out. Throws `E_SHAPE`. */
export function reshape(x: TensorLike, shape: Shape): Tensor {
  const input = asTensor(x);
  if (!Array.isArray(shape)) checkedShape("reshape", shape);
  const unknown = shape.indexOf(-1);
  if (unknown !== shape.lastIndexOf(-1))
    fail("E_SHAPE", `reshape: expected at most one -1, got ${formatShape(shape)}`);
  let wanted = shape;
  if (unknown >= 0) {
    const known = sizeOf(shape.filter((_, axis) => axis !== unknown));
    const length = known === 0 ? 0 : input.size / known;
    if (known === 0 || !Number.isInteger(length)) {
      fail(
        "E_SHAPE",
        `reshape: ${formatShape(input.shape)} (${input.size} elements) does not fit ${formatShape(shape)}`,
      );
    }
    wanted = mapNumbers(shape, (size, axis) => (axis === unknown ? length : size));
  }
  const full = checkedShape("reshape", wanted);
  if (sizeOf(full) !== input.size) {
    fail(
      "E_SHAPE",
      `reshape: ${formatShape(input.shape)} has ${input.size} elements, ${formatShape(shape)} holds ${sizeOf(full)}; the two must be equal`,
    );
  }
  return unchanged(input, sameShape(full, input.shape)) ? input : apply(reshapeOp, [input], { shape: full });
}

/** The axes in another order: axis i of the result is axis axes[i] of x. */
export function permute(x: TensorLike, axes: readonly number[]): Tensor {
  const input = asTensor(x);
  if (!Array.isArray(axes)) fail("E_AXIS", `permute: expected a list of axes, got ${formatGiven(axes)}`);
  const order = mapNumbers(axes, (axis) => normalizeAxis("permute", axis, input.rank));
  if (order.length !== input.rank || new Set(order).size !== order.length) {
    fail(
      "E_AXIS",
      `permute: expected each axis of ${formatShape(input.shape)} once, got [${axes.join(", ")}]`,
    );
  }
  return unchanged(
    input,
    order.every((axis, i) => axis === i),
  )
    ? input
    : apply(permuteOp, [input], { axes: order });
}

/** Two axes exchanged; the last two when left out. */
export function transpose(x: TensorLike, a = -2, b = -1): Tensor {
  const input = asTensor(x);
  const first = normalizeAxis("transpose", a, input.rank);
  const second = normalizeAxis("transpose", b, input.rank);
  return permute(
    input,
    mapNumbers(input.shape, (_, axis) => (axis === first ? second : axis === second ? first : axis)),
  );
}

/** x repeated to a shape that it broadcasts to. Throws `E_SHAPE`. */
export function expand(x: TensorLike, shape: Shape): Tensor {
  const input = asTensor(x);
  const full = checkedShape("expand", shape);
  if (!broadcastsTo(input.shape, full)) {
    fail("E_SHAPE", `expand: ${formatShape(input.shape)} does not broadcast to ${formatShape(shape)}`);
  }
  return unchanged(input, sameShape(input.shape, full)) ? input : apply(expandOp, [input], { shape: full });
}

/** Without the named axes, which must have size 1; without all axes of size 1 when left out. Throws `E_SHAPE`. */
export function squeeze(x: TensorLike, axis?: number | readonly number[]): Tensor {
  const input = asTensor(x);
  const axes =
    axis === undefined
      ? [...input.shape.keys()].filter((i) => input.shape[i] === 1)
      : normalizeAxes("squeeze", axis, input.rank);
  for (const at of axes) {
    if (input.shape[at] !== 1)
      fail(
        "E_SHAPE",
        `squeeze: axis ${at} of ${formatShape(input.shape)} has size ${input.shape[at]}, expected 1`,
      );
  }
  return reshape(
    input,
    input.shape.filter((_, at) => !axes.includes(at)),
  );
}

/** With a new axis of size 1 at the position it has in the result. */
export function unsqueeze(x: TensorLike, axis: number): Tensor {
  const input = asTensor(x);
  const at = normalizeAxis("unsqueeze", axis, input.rank + 1);
  return reshape(input, [...input.shape.slice(0, at), 1, ...input.shape.slice(at)]);
}

/** The order reversed along the axes (all when left out). */
export function flip(x: TensorLike, axes?: number | readonly number[]): Tensor {
  const input = asTensor(x);
  return apply(flipOp, [input], { axes: normalizeAxes("flip", axes, input.rank) });
}

function triangle(name: string, x: TensorLike, k: number, upper: boolean): Tensor {
  const input = asTensor(x);
  if (input.rank < 2) fail("E_SHAPE", `${name}: expected at least two axes, got ${formatShape(input.shape)}`);
  if (!Number.isInteger(k))
    fail("E_VALUE", `${name}: expected a whole number of the diagonal, got ${formatGiven(k)}`);
  return apply(triangleOp, [input], { k, upper });
}

/** The elements on and below diagonal k of the last two axes, zeros above. */
export function tril(x: TensorLike, k = 0): Tensor {
  return triangle("tril", x, k, false);
}

/** The elements on and above diagonal k of the last two axes, zeros below. */
export function triu(x: TensorLike, k = 0): Tensor {
  return triangle("triu", x, k, true);
}
