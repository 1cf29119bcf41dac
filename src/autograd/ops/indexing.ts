import { fail } from "../../errors/index.js";
import {
  allocate,
  convert,
  dtypeOf,
  formatShape,
  NDArray,
  normalizeAxis,
  reserve,
  sameShape,
  sizeOf,
  type DType,
  type Elements,
  type Shape,
} from "../../tensor/index.js";
import { asTensor, counted, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import { Tensor } from "../tensor.js";

export interface IndexAttributes {
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

/** Up to as many parts are added in float32; more in float64, for in float32 a long sum drifts, and stands still in the end. */
const mostSingleParts = 64;

/** Zeros to which up to `parts` parts are added. */
function totalsOf(dtype: DType, size: number, parts: number): Elements {
  return dtype === "float32" && parts > mostSingleParts
    ? allocate("float64", size)
    : reserve(dtype, size).fill(0);
}

/** The totals as elements of a type, rounded once. */
function rounded(totals: Elements, dtype: DType): Elements {
  if (dtypeOf(totals) === dtype) return totals;
  const out = reserve(dtype, totals.length);
  out.set(totals);
  return out;
}

/** How often the most frequent index occurs; their number where that is small enough to stand for it. */
function mostOften(indices: Elements, length: number): number {
  if (indices.length <= mostSingleParts) return indices.length;
  const counts = new Int32Array(length);
  let most = 0;
  for (let i = 0; i < indices.length; i++) most = Math.max(most, ++counts[indices[i]!]!);
  return most;
}

/** Whole slices x[indices] along an axis; ∂x adds each slice of the cotangent where it came from. */
const gatherOp: Op<IndexAttributes> = op({
  name: "gather",
  forward: ([x], { axis, indices }) => {
    const [outer, inner] = around(x!.shape, axis);
    const length = x!.shape[axis]!;
    const count = indices.size;
    const out = reserve(x!.dtype, outer * count * inner);
    const { data } = x!;
    const at = indices.data;
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < count; i++) {
        const from = (o * length + at[i]!) * inner;
        const to = (o * count + i) * inner;
        for (let j = 0; j < inner; j++) out[to + j] = data[from + j]!;
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
    const { data, dtype } = updates!;
    const at = indices.data;
    const totals = totalsOf(dtype, outer * length * inner, mostOften(at, length));
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < at.length; i++) {
        const from = (o * at.length + i) * inner;
        const to = (o * length + at[i]!) * inner;
        for (let j = 0; j < inner; j++) totals[to + j] = totals[to + j]! + data[from + j]!;
      }
    }
    return new NDArray([...before, length, ...after], dtype, rounded(totals, dtype));
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
    const out = reserve(x!.dtype, indices.size);
    const { data } = x!;
    const index = indices.data;
    for (let o = 0, at = 0; o < outer; o++) {
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < inner; j++, at++) out[at] = data[(o * length + index[at]!) * inner + j]!;
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
    const { data, dtype } = updates!;
    const totals = totalsOf(dtype, sizeOf(shape), count);
    const index = indices.data;
    for (let o = 0, at = 0; o < outer; o++) {
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < inner; j++, at++) {
          const to = (o * length + index[at]!) * inner + j;
          totals[to] = totals[to]! + data[at]!;
        }
      }
    }
    return new NDArray(shape, dtype, rounded(totals, dtype));
  },
  vjp: ({ cotangent: g, attributes }) => [apply(takeAlongOp, [g], attributes)],
});

export const indexing = {
  gather: gatherOp,
  addAt: addAtOp,
  takeAlongAxis: takeAlongOp,
  addAlongAxis: addAlongOp,
};

/** Indices as int32. Plain numbers must be whole; a tensor or typed array must be int32. Throws `E_DTYPE`, `E_INDEX`. */
function asIndices(name: string, indices: TensorLike): NDArray {
  if (indices instanceof Tensor || ArrayBuffer.isView(indices)) {
    const given = asTensor(indices);
    if (given.dtype !== "int32") fail("E_DTYPE", `${name}: expected int32 indices, got ${given.dtype}`);
    return given.array;
  }
  const exact = asTensor(indices, "float64").array;
  for (const value of exact.data) {
    if ((value | 0) !== value) fail("E_INDEX", `${name}: expected whole numbers as indices, got ${value}`);
  }
  return convert(exact, "int32");
}

/** {@link asIndices} that all lie on an axis. Throws `E_INDEX`. */
function checkIndices(
  name: string,
  indices: TensorLike,
  length: number,
  axis: number,
  shape: Shape,
): NDArray {
  const index = asIndices(name, indices);
  const { data } = index;
  for (let i = 0; i < data.length; i++) {
    if (data[i]! < 0 || data[i]! >= length) {
      const allowed = length === 0 ? "which has no entries" : `expected 0 to ${length - 1}`;
      fail(
        "E_INDEX",
        `${name}: index ${data[i]} is outside axis ${axis} of ${formatShape(shape)}, ${allowed}`,
      );
    }
  }
  return index;
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
  const input = counted(x);
  const values = counted(asTensor(updates, input.dtype));
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
