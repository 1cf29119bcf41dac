import { checkNumbers, fail } from "../../errors/index.js";
import {
  convert,
  formatGiven,
  formatShape,
  isFloating,
  NDArray,
  normalizeAxis,
  promote,
  reserve,
  sameShape,
  sizeOf,
  stridedWrite,
  stridesOf,
  type DType,
} from "../../tensor/index.js";
import { asTensor, asTensors, type TensorLike } from "../operands.js";
import { op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";
import type { Range } from "./slicing.js";

/** Parts laid one after the other along an axis; each receives its part of the cotangent. */
const concatOp = op<{ readonly axis: number }>({
  name: "concat",
  forward: (parts, { axis }) => {
    const dtype = parts.reduce<DType>((type, part) => promote(type, part.dtype), parts[0]!.dtype);
    const shape = parts[0]!.shape.map((length, i) =>
      i === axis ? parts.reduce((total, part) => total + part.shape[axis]!, 0) : length,
    );
    const out = reserve(dtype, sizeOf(shape));
    const strides = stridesOf(shape);
    let at = 0;
    for (const part of parts) {
      if (part.size > 0)
        stridedWrite(convert(part, dtype).data, out, at * strides[axis]!, part.shape, strides);
      at += part.shape[axis]!;
    }
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs, attributes: { axis }, needs }) => {
    let at = 0;
    return inputs.map((input, i) => {
      const from = at;
      at += input.shape[axis]!;
      if (!needs[i]) return undefined;
      return g.slice(
        input.shape.map((_, j): Range => (j === axis ? [from, from + input.shape[axis]!] : null)),
      );
    });
  },
});

/** x with a border of one value. */
const padOp = op<{ readonly widths: readonly (readonly [number, number])[]; readonly value: number }>({
  name: "pad",
  forward: ([x], { widths, value }) => {
    const shape = x!.shape.map((length, axis) => length + widths[axis]![0] + widths[axis]![1]);
    const out = reserve(x!.dtype, sizeOf(shape)).fill(value);
    const strides = stridesOf(shape);
    const offset = widths.reduce((at, [before], axis) => at + before * strides[axis]!, 0);
    if (x!.size > 0) stridedWrite(x!.data, out, offset, x!.shape, strides);
    return new NDArray(shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], attributes: { widths } }) => [
    g.slice(widths.map(([before], axis): Range => [before, before + x!.shape[axis]!])),
  ],
});

export const joining = { concat: concatOp, pad: padOp };

function checkList(name: string, list: readonly TensorLike[]): Tensor[] {
  const parts = asTensors(name, list);
  if (parts.length === 0) fail("E_SHAPE", `${name}: expected at least one tensor, got an empty list`);
  return parts;
}

/** The tensors laid one after the other along an axis; all other sizes must be equal. Throws `E_SHAPE`. */
export function concat(list: readonly TensorLike[], axis = 0): Tensor {
  const parts = checkList("concat", list);
  const first = parts[0]!;
  const at = normalizeAxis("concat", axis, first.rank);
  for (const part of parts) {
    if (part.rank !== first.rank || part.shape.some((length, i) => i !== at && length !== first.shape[i])) {
      fail(
        "E_SHAPE",
        `concat: expected equal shapes but for axis ${at}, got ${formatShape(first.shape)} and ${formatShape(part.shape)}`,
      );
    }
  }
  return apply(concatOp, parts, { axis: at });
}

/** This tensor followed by others along an axis. */
export function concatWith(x: TensorLike, others: readonly TensorLike[], axis = 0): Tensor {
  return concat([x, ...others], axis);
}

/** Tensors of one shape laid along a new axis. Throws `E_SHAPE`. */
export function stack(list: readonly TensorLike[], axis = 0): Tensor {
  const parts = checkList("stack", list);
  for (const part of parts) {
    if (!sameShape(part.shape, parts[0]!.shape)) {
      fail(
        "E_SHAPE",
        `stack: expected equal shapes, got ${formatShape(parts[0]!.shape)} and ${formatShape(part.shape)}`,
      );
    }
  }
  return concat(
    parts.map((part) => part.unsqueeze(axis)),
    normalizeAxis("stack", axis, parts[0]!.rank + 1),
  );
}

/** The size of each piece when an axis is cut into `count` equal ones; undefined when it cannot be. */
function equalPieces(length: number, count: number): number[] | undefined {
  return Number.isInteger(count) && count > 0 && length % count === 0 && count <= Math.max(length, 1)
    ? new Array<number>(count).fill(length / count)
    : undefined;
}

function fills(pieces: readonly number[], length: number): boolean {
  return (
    pieces.length < 2 ** 24 &&
    pieces.every((size) => Number.isInteger(size) && size >= 0) &&
    pieces.reduce((a, b) => a + b, 0) === length
  );
}

/** Cut along an axis: into pieces of the given sizes, or into a number of equal ones. Throws `E_SHAPE` when they do not fill it. */
export function split(x: TensorLike, sizes: number | readonly number[], axis = 0): Tensor[] {
  const input = asTensor(x);
  const at = normalizeAxis("split", axis, input.rank);
  const length = input.shape[at]!;
  const pieces = typeof sizes === "number" ? equalPieces(length, sizes) : sizes;
  if (!Array.isArray(pieces) || !fills(pieces, length)) {
    const wanted = Array.isArray(sizes)
      ? `pieces of ${formatShape(sizes)}`
      : `${formatGiven(sizes)} equal pieces`;
    fail(
      "E_SHAPE",
      `split: axis ${at} of ${formatShape(input.shape)} has ${length} entries, which do not make ${wanted}`,
    );
  }
  let from = 0;
  return pieces.map((size: number) => {
    const start = from;
    from += size;
    return input.slice(input.shape.map((_, i): Range => (i === at ? [start, start + size] : null)));
  });
}

/** x with `[before, after]` entries of `value` around each axis. Throws `E_SHAPE`, and `E_VALUE` for a fraction around int32. */
export function pad(x: TensorLike, widths: readonly (readonly [number, number])[], value = 0): Tensor {
  checkNumbers("pad", { value });
  const input = asTensor(x);
  if (
    !Array.isArray(widths) ||
    widths.length !== input.rank ||
    !Array.from(widths).every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(isCount))
  ) {
    fail(
      "E_SHAPE",
      `pad: expected a pair of whole numbers for each axis of ${formatShape(input.shape)}, got ${formatGiven(widths)}`,
    );
  }
  if (!isFloating(input.dtype) && !(Number.isInteger(value) && (value | 0) === value))
    fail("E_VALUE", `pad: expected a whole number around ${input.dtype}, got ${value}`);
  const border = input.dtype === "bool" ? Number(value !== 0) : value;
  return apply(padOp, [input], {
    widths: widths.map(([before, after]): [number, number] => [before, after]),
    value: border,
  });
}

const isCount = (n: unknown): boolean => Number.isSafeInteger(n) && (n as number) >= 0;
