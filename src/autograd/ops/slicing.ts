import { fail } from "../../errors/index.js";
import {
  formatGiven,
  formatShape,
  mapNumbers,
  NDArray,
  reserve,
  sizeOf,
  stridedCopy,
  stridedWrite,
  stridesOf,
  type Shape,
} from "../../tensor/index.js";
import { asTensor, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";

/**
 * What to take along one axis: `null` for all, a number for one entry (the axis is dropped), `[start, stop, step]` with
 * NumPy's rules for leaving out, negative numbers and steps.
 */
export type Range = null | number | readonly [start?: number | null, stop?: number | null, step?: number];

export interface SliceAttributes {
  /** First entry, number of entries and step along each axis. */
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
  readonly steps: readonly number[];
}

function sliceWalk(shape: Shape, { starts, steps }: SliceAttributes): { offset: number; strides: number[] } {
  const own = stridesOf(shape);
  return {
    offset: starts.reduce((at, start, axis) => at + start * own[axis]!, 0),
    strides: mapNumbers(own, (stride, axis) => stride * steps[axis]!),
  };
}

/** Every step-th entry along each axis. */
const sliceOp: Op<SliceAttributes> = op({
  name: "slice",
  forward: ([x], attributes) => {
    const out = reserve(x!.dtype, sizeOf(attributes.lengths));
    const { offset, strides } = sliceWalk(x!.shape, attributes);
    if (out.length > 0) stridedCopy(x!.data, offset, attributes.lengths, strides, out);
    return new NDArray(attributes.lengths, x!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], attributes: { starts, lengths, steps } }) => [
    apply(unsliceOp, [g], { starts, lengths, steps, shape: x!.shape }),
  ],
});

/** The transpose of a slice: its entries in an array of zeros. */
const unsliceOp: Op<SliceAttributes & { readonly shape: Shape }> = op({
  name: "unslice",
  forward: ([x], attributes) => {
    const out = reserve(x!.dtype, sizeOf(attributes.shape)).fill(0);
    const { offset, strides } = sliceWalk(attributes.shape, attributes);
    if (x!.size > 0) stridedWrite(x!.data, out, offset, attributes.lengths, strides);
    return new NDArray(attributes.shape, x!.dtype, out);
  },
  vjp: ({ cotangent: g, attributes: { starts, lengths, steps } }) => [
    apply(sliceOp, [g], { starts, lengths, steps }),
  ],
});

export const slicing = { slice: sliceOp, unslice: unsliceOp };

const allowed = (low: number, length: number): string =>
  length === 0 ? "which has no entries" : `expected ${low} to ${length - 1}`;

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
        `slice: index ${range} is outside axis ${axis} of ${formatShape(shape)}, ${allowed(-length, length)}`,
      );
    }
    return [range < 0 ? range + length : range, 1, 1];
  }
  if (!Array.isArray(range))
    fail(
      "E_INDEX",
      `slice: expected null, a number or [start, stop, step] along axis ${axis}, got ${formatGiven(range)}`,
    );
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
  if (!Array.isArray(ranges))
    fail("E_INDEX", `slice: expected a list of ranges, one for each axis, got ${formatGiven(ranges)}`);
  if (ranges.length > input.rank) {
    fail("E_INDEX", `slice: ${ranges.length} ranges for ${input.rank} axes of ${formatShape(input.shape)}`);
  }
  const given = ranges as readonly Range[];
  const attributes = {
    starts: input.shape.slice(),
    lengths: input.shape.slice(),
    steps: input.shape.slice(),
  };
  for (let axis = 0; axis < input.rank; axis++) {
    const [start, count, step] = resolve(given[axis] ?? null, input.shape[axis]!, axis, input.shape);
    attributes.starts[axis] = start;
    attributes.lengths[axis] = count;
    attributes.steps[axis] = step;
  }
  const taken = apply(sliceOp, [input], attributes);
  if (!given.some((range) => typeof range === "number")) return taken;
  return taken.reshape(attributes.lengths.filter((_, axis) => typeof given[axis] !== "number"));
}
