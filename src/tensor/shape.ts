import { fail, formatGiven } from "../errors/index.js";

import { mostElements } from "./dtype.js";

export { formatGiven } from "../errors/index.js";

/** Sizes along the axes; `[]` is a scalar. */
export type Shape = readonly number[];

/** `[2, 3]` as text. */
export function formatShape(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

/** The number of elements: the product of the sizes, 1 for a scalar. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const length of shape) size *= length;
  return size;
}

/**
 * `list.map(value)` for sizes, strides and places. V8 tells arrays apart by what may be in them, and code that meets several
 * kinds is slower and is compiled again and again. So shapes and what is computed from them stay of one kind, packed small
 * integers, which the arrays that a compiled `map` or `new Array(n)` makes are not.
 */
export function mapNumbers(list: readonly number[], value: (number: number, at: number) => number): number[] {
  const out = list.slice();
  for (let at = 0; at < out.length; at++) out[at] = value(list[at]!, at);
  return out;
}

/** Row-major strides, in elements. */
export function stridesOf(shape: Shape): number[] {
  const strides = shape.slice();
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis]!;
  }
  return strides;
}

/** Whether two shapes are equal. */
export function sameShape(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** A copy of the shape, −0 as 0. Throws `E_SHAPE` unless it is a list of whole numbers of at least 0 that a tensor can hold. */
export function checkedShape(op: string, shape: Shape): number[] {
  if (!Array.isArray(shape) || !areLengths(shape)) {
    fail("E_SHAPE", `${op}: expected a shape of whole numbers of at least 0, got ${formatGiven(shape)}`);
  }
  const size = sizeOf(shape);
  if (size > mostElements) {
    fail(
      "E_SHAPE",
      `${op}: a tensor holds at most ${mostElements} elements, ${formatShape(shape)} has ${size}`,
    );
  }
  // Of the kind of all shapes, whatever the kind of the list.
  const own: number[] = [];
  for (const length of shape) own.push(length + 0);
  return own;
}

/** Whether all are whole numbers of at least 0; a gap is not. */
function areLengths(list: readonly unknown[]): boolean {
  for (let at = 0; at < list.length; at++) {
    const length = list[at];
    if (!Number.isSafeInteger(length) || (length as number) < 0) return false;
  }
  return true;
}

/**
 * The shape that two shapes broadcast to, as in NumPy: aligned at the right, each pair of sizes must be equal or
 * contain a 1. Throws `E_SHAPE`.
 */
export function broadcastShapes(op: string, a: Shape, b: Shape): Shape {
  if (sameShape(a, b)) return a;
  const out = (a.length < b.length ? b : a).slice();
  for (let fromEnd = 1; fromEnd <= out.length; fromEnd++) {
    const left = a[a.length - fromEnd] ?? 1;
    const right = b[b.length - fromEnd] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      fail(
        "E_SHAPE",
        `${op}: shapes ${formatShape(a)} and ${formatShape(b)} do not broadcast: aligned at the right, axis -${fromEnd} ` +
          `has sizes ${left} and ${right}, which must be equal or 1`,
      );
    }
    out[out.length - fromEnd] = left === 1 ? right : left;
  }
  return out;
}

/** Whether two shapes broadcast to a common one. */
export function areBroadcastable(a: Shape, b: Shape): boolean {
  const rank = Math.min(a.length, b.length);
  for (let fromEnd = 1; fromEnd <= rank; fromEnd++) {
    const left = a[a.length - fromEnd]!;
    const right = b[b.length - fromEnd]!;
    if (left !== right && left !== 1 && right !== 1) return false;
  }
  return true;
}

/** Whether `from` broadcasts to exactly `to`. */
export function broadcastsTo(from: Shape, to: Shape): boolean {
  if (from.length > to.length) return false;
  return from.every((length, axis) => length === 1 || length === to[to.length - from.length + axis]);
}

/** An axis counted from 0; -1 is the last one. Throws `E_AXIS` outside the rank. */
export function normalizeAxis(op: string, axis: number, rank: number): number {
  if (!Number.isInteger(axis) || axis < -rank || axis >= rank) {
    const allowed = rank === 0 ? "a scalar has no axis" : `expected an axis from ${-rank} to ${rank - 1}`;
    fail("E_AXIS", `${op}: ${allowed}, got ${formatGiven(axis)}`);
  }
  return axis < 0 ? axis + rank : axis;
}

/** Axes counted from 0, in rising order; `undefined` means all. Throws `E_AXIS` for one outside or named twice. */
export function normalizeAxes(
  op: string,
  axes: number | readonly number[] | undefined,
  rank: number,
): number[] {
  if (axes === undefined) return Array.from({ length: rank }, (_, axis) => axis);
  const list = typeof axes === "number" ? [axes] : axes;
  if (!Array.isArray(list))
    fail("E_AXIS", `${op}: expected an axis or a list of axes, got ${formatGiven(axes)}`);
  const normal = Array.from(list, (axis: number) => normalizeAxis(op, axis, rank)).sort((a, b) => a - b);
  for (let at = 1; at < normal.length; at++) {
    if (normal[at] === normal[at - 1])
      fail("E_AXIS", `${op}: axis ${normal[at]} is named twice in [${list.join(", ")}]`);
  }
  return normal;
}
