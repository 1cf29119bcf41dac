import { fail } from "../../errors/index.js";
import {
  allocate,
  formatShape,
  NDArray,
  normalizeAxis,
  sameShape,
  sizeOf,
  stridedCopy,
  stridedWrite,
  stridesOf,
  type Shape,
} from "../../tensor/index.js";
import { asTensor, type TensorLike } from "../create.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";

/**
 * What to take along one axis: `null` for all, a number for one entry (the axis is dropped), `[start, stop, step]` with
 * NumPy's rules for leaving out, negative numbers and steps.
 */
export type Range = null | number | readonly [start?: number | null, stop?: number | null, step?: number];

interface SliceAttributes {
  /** First entry, number of entries and step along each axis. */
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  readonly steps: readonly number[];
}

function sliceWalk(shape: Shape, { starts, steps }: SliceAttributes): { offset: number; strides: number[] } {
  const own = stridesOf(shape);
  return {
    offset: starts.reduce((at, start, axis) => at + start * own[axis]!, 0),
    strides: own.map((stride, axis) => stride * steps[axis]!),
  };
}

/** Every step-th entry along each axis. */
const sliceOp: Op<SliceAttributes> = op({
  name: "slice",
  forward: ([x], attributes) => {
    const out = allocate(x!.dtype, sizeOf(attributes.lengths));
    const { offset, strides } = sliceWalk(x!.shape, attributes);
    if (out.length > 0) stridedCopy(x!.data, offset, attributes.lengths, strides, out);
    return new NDArray(attributes.lengths, x!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], attributes }) => [
    apply(unsliceOp, [g], { ...attributes, shape: x!.shape }),
  ],
});

/** The transpose of a slice: its entries in an array of zeros. */
const unsliceOp: Op<SliceAttributes & { readonly shape: Shape }> = op({
  name: "unslice",
  forward: ([x], attributes) => {
    const out = allocate(x!.dtype, sizeOf(attributes.shape));
    const { offset, strides } = sliceWalk(attributes.shape, attributes);
    if (x!.size > 0) stridedWrite(x!.data, out, offset, attributes.lengths, strides);
    return new NDArray(attributes.shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, attributes: { starts, lengths, steps } }) => [
    apply(sliceOp, [g], { starts, lengths, steps }),
  ],
});

interface IndexAttributes {
  readonly axis: number;
  readonly indices: NDArray;
  /** The size of the indexed axis. */
  readonly length: number;
}

/** `[outer, length, inner]` around an axis. */
const around = (shape: Shape, axis: number): [number, number] => [
  sizeOf(shape.slice(0, axis)),
  sizeOf(shape.slice(axis + 1)),
];

/** Whole slices x[indices] along an axis; ∂x adds each slice of the cotangent where it came from. */
const gatherOp: Op<IndexAttributes> = op({
  name: "gather",
  forward: ([x], { axis, indices }) => {
    const [outer, inner] = around(x!.shape, axis);
    const length = x!.shape[axis]!;
    const count = indices.size;
    const out = allocate(x!.dtype, outer * count * inner);
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < count; i++) {
        const from = (o * length + indices.data[i]!) * inner;
        out.set(x!.data.subarray(from, from + inner), (o * count + i) * inner);
      }
    }
    return new NDArray(
      [...x!.shape.slice(0, axis), ...indices.shape, ...x!.shape.slice(axis + 1)],
      x!.dtype,
      out,
    );
  },
  vjp: ({ cotangent: g, attributes }) => [apply(addAtOp, [g], attributes)],
});

/** The transpose of gather: slices are added at their indices in an array of zeros. */
const addAtOp: Op<IndexAttributes> = op({
  name: "addAt",
  forward: ([updates], { axis, indices, length }) => {
    const before = updates!.shape.slice(0, axis);
    const after = updates!.shape.slice(axis + indices.rank);
    const outer = sizeOf(before);
    const inner = sizeOf(after);
    const out = allocate(updates!.dtype, outer * length * inner);
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < indices.size; i++) {
        const from = (o * indices.size + i) * inner;
        const to = (o * length + indices.data[i]!) * inner;
        for (let j = 0; j < inner; j++) out[to + j] = out[to + j]! + updates!.data[from + j]!;
      }
    }
    return new NDArray([...before, length, ...after], updates!.dtype, out);
  },
  vjp: ({ cotangent: g, attributes }) => [apply(gatherOp, [g], attributes)],
});

/** One entry for each index: out[…, i, …] = x[…, indices[…, i, …], …]. */
const takeAlongOp: Op<IndexAttributes> = op({
  name: "takeAlongAxis",
  forward: ([x], { axis, indices }) => {
    const [outer, inner] = around(indices.shape, axis);
    const count = indices.shape[axis]!;
    const length = x!.shape[axis]!;
    const out = allocate(x!.dtype, indices.size);
    for (let o = 0, at = 0; o < outer; o++) {
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < inner; j++, at++)
          out[at] = x!.data[(o * length + indices.data[at]!) * inner + j]!;
      }
    }
    return new NDArray(indices.shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, attributes }) => [apply(addAlongOp, [g], attributes)],
});

/** The transpose of takeAlongAxis. */
const addAlongOp: Op<IndexAttributes> = op({
  name: "addAlongAxis",
  forward: ([updates], { axis, indices, length }) => {
    const [outer, inner] = around(indices.shape, axis);
    const count = indices.shape[axis]!;
    const shape = indices.shape.map((size, i) => (i === axis ? length : size));
    const out = allocate(updates!.dtype, sizeOf(shape));
    for (let o = 0, at = 0; o < outer; o++) {
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < inner; j++, at++) {
          const to = (o * length + indices.data[at]!) * inner + j;
          out[to] = out[to]! + updates!.data[at]!;
        }
      }
    }
    return new NDArray(shape, updates!.dtype, out);
  },
  vjp: ({ cotangent: g, attributes }) => [apply(takeAlongOp, [g], attributes)],
});

export const indexing = {
  slice: sliceOp,
  unslice: unsliceOp,
  gather: gatherOp,
  addAt: addAtOp,
  takeAlongAxis: takeAlongOp,
  addAlongAxis: addAlongOp,
};

/** Start, length and step of one range over an axis, as NumPy reads it. */
function resolve(
  range: Range,
  length: number,
  axis: number,
  shape: Shape,
): [start: number, count: number, step: number] {
  if (range === null) return [0, length, 1];
  if (typeof range === "number") {
    if (!Number.isInteger(range) || range < -length || range >= length) {
      fail(
        "E_INDEX",
        `slice: index ${range} is outside axis ${axis} of ${formatShape(shape)}, expected ${-length} to ${length - 1}`,
      );
    }
    return [range < 0 ? range + length : range, 1, 1];
  }
  const step = range[2] ?? 1;
  for (const part of [step, range[0] ?? 0, range[1] ?? 0]) {
    if (!Number.isInteger(part))
      fail("E_INDEX", `slice: expected whole numbers along axis ${axis}, got [${range.join(", ")}]`);
  }
  if (step === 0) fail("E_INDEX", `slice: the step along axis ${axis} is 0`);
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (at: number | null | undefined, other: number): number =>
    at === null || at === undefined ? other : Math.min(high, Math.max(low, at < 0 ? at + length : at));
  const start = bound(range[0], step > 0 ? low : high);
  const stop = bound(range[1], step > 0 ? high : low);
  return [start, Math.max(0, Math.ceil((stop - start) / step)), step];
}

/** Part of a tensor: one {@link Range} for each axis; axes left out at the end are taken whole. Throws `E_INDEX`. */
export function slice(x: TensorLike, ranges: readonly Range[]): Tensor {
  const input = asTensor(x);
  if (ranges.length > input.rank) {
    fail("E_INDEX", `slice: ${ranges.length} ranges for ${input.rank} axes of ${formatShape(input.shape)}`);
  }
  const parts = input.shape.map((length, axis) => resolve(ranges[axis] ?? null, length, axis, input.shape));
  const attributes = {
    starts: parts.map(([start]) => start),
    lengths: parts.map(([, count]) => count),
    steps: parts.map(([, , step]) => step),
  };
  const taken = apply(sliceOp, [input], attributes);
  if (!ranges.some((range) => typeof range === "number")) return taken;
  return taken.reshape(attributes.lengths.filter((_, axis) => typeof ranges[axis] !== "number"));
}

function checkIndices(
  name: string,
  indices: TensorLike,
  length: number,
  axis: number,
  shape: Shape,
): NDArray {
  const index = asTensor(indices, "int32");
  if (index.dtype !== "int32") fail("E_DTYPE", `${name}: expected int32 indices, got ${index.dtype}`);
  const { data } = index.array;
  for (let i = 0; i < data.length; i++) {
    if (data[i]! < 0 || data[i]! >= length) {
      fail(
        "E_INDEX",
        `${name}: index ${data[i]} is outside axis ${axis} of ${formatShape(shape)}, expected 0 to ${length - 1}`,
      );
    }
  }
  return index.array;
}

/** The slices of x named by int32 indices of any shape along an axis: out.shape = before + indices.shape + after. */
export function gather(x: TensorLike, indices: TensorLike, axis = 0): Tensor {
  const input = asTensor(x);
  const at = normalizeAxis("gather", axis, input.rank);
  const length = input.shape[at]!;
  return apply(gatherOp, [input], {
    axis: at,
    length,
    indices: checkIndices("gather", indices, length, at, input.shape),
  });
}

/** x with slices of `updates` added at the indices along an axis; equal indices add up. The transpose of {@link gather}. */
export function scatterAdd(x: TensorLike, indices: TensorLike, updates: TensorLike, axis = 0): Tensor {
  const input = asTensor(x);
  const values = asTensor(updates, input.dtype);
  const at = normalizeAxis("scatterAdd", axis, input.rank);
  const length = input.shape[at]!;
  const index = checkIndices("scatterAdd", indices, length, at, input.shape);
  const expected = [...input.shape.slice(0, at), ...index.shape, ...input.shape.slice(at + 1)];
  if (!sameShape(expected, values.shape)) {
    fail(
      "E_SHAPE",
      `scatterAdd: expected updates of shape ${formatShape(expected)}, got ${formatShape(values.shape)}`,
    );
  }
  return input.add(apply(addAtOp, [values], { axis: at, length, indices: index }));
}

/** One entry for each index (PyTorch's gather): indices have the rank of x and its sizes but for the axis. */
export function takeAlongAxis(x: TensorLike, indices: TensorLike, axis = -1): Tensor {
  const input = asTensor(x);
  const at = normalizeAxis("takeAlongAxis", axis, input.rank);
  const index = checkIndices("takeAlongAxis", indices, input.shape[at]!, at, input.shape);
  if (index.rank !== input.rank || index.shape.some((size, i) => i !== at && size !== input.shape[i])) {
    fail(
      "E_SHAPE",
      `takeAlongAxis: expected indices like ${formatShape(input.shape)} but for axis ${at}, got ${formatShape(index.shape)}`,
    );
  }
  return apply(takeAlongOp, [input], { axis: at, length: input.shape[at]!, indices: index });
}
