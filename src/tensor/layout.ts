import { mapNumbers, sizeOf, stridesOf, type Shape } from "./shape.js";

/**
 * How to walk several operands together: `dims` are the sizes of the joint walk, `strides[i]` the step of operand i
 * along each of them, 0 where it is broadcast. Neighbouring axes that every operand walks in one go are merged, so
 * that a walk over equal shapes is one loop.
 */
export interface Layout {
  readonly dims: readonly number[];
  readonly strides: readonly (readonly number[])[];
}

/** The strides with which `shape` is walked as `target`, 0 along broadcast axes. */
export function broadcastStrides(shape: Shape, target: Shape): number[] {
  const own = stridesOf(shape);
  const missing = target.length - shape.length;
  return mapNumbers(target, (_, axis) =>
    axis < missing || shape[axis - missing] === 1 ? 0 : own[axis - missing]!,
  );
}

/** Drops axes of size 1 and merges neighbouring axes where every operand allows it. At least one axis remains. */
export function coalesce(dims: Shape, strides: readonly (readonly number[])[]): Layout {
  const outDims: number[] = [];
  const outStrides: number[][] = strides.map(() => []);
  for (let axis = 0; axis < dims.length; axis++) {
    const length = dims[axis]!;
    if (length === 1) continue;
    const last = outDims.length - 1;
    const merges = last >= 0 && strides.every((s, i) => outStrides[i]![last] === s[axis]! * length);
    if (merges) {
      outDims[last]! *= length;
      strides.forEach((s, i) => (outStrides[i]![last] = s[axis]!));
    } else {
      outDims.push(length);
      strides.forEach((s, i) => outStrides[i]!.push(s[axis]!));
    }
  }
  if (outDims.length === 0) {
    outDims.push(1);
    outStrides.forEach((s) => s.push(0));
  }
  return { dims: outDims, strides: outStrides };
}

/** The joint walk of two operands that broadcast to `target`; one loop when each is the whole target or one element. */
export function broadcastLayout(target: Shape, a: Shape, b: Shape): Layout {
  const size = sizeOf(target);
  const stepA = flatStep(sizeOf(a), size);
  const stepB = flatStep(sizeOf(b), size);
  if (stepA !== undefined && stepB !== undefined)
    return { dims: [size], strides: [flat[stepA], flat[stepB]] };
  return coalesce(target, [broadcastStrides(a, target), broadcastStrides(b, target)]);
}

/** The strides of a walk over one element, and over a list. */
const flat = [[0], [1]] as const;

/** The step between elements when an operand of `own` elements is read as a list of `size`. */
function flatStep(own: number, size: number): 0 | 1 | undefined {
  if (own === size) return 1;
  return own === 1 ? 0 : undefined;
}

/**
 * Calls `row(offsets…)` for each row of a two-operand walk, in row-major order; a row is the last axis.
 * `out` counts the elements written so far.
 */
export function forEachRow(layout: Layout, row: (a: number, b: number, out: number) => void): void {
  const { dims, strides } = layout;
  const rank = dims.length;
  const inner = dims[rank - 1]!;
  let total = 1;
  for (const length of dims) total *= length;
  if (total === 0) return;
  const rows = total / inner;
  const sa = strides[0]!;
  const sb = strides[1] ?? sa;
  const index = new Array<number>(rank).fill(0);
  let a = 0;
  let b = 0;
  for (let r = 0; r < rows; r++) {
    row(a, b, r * inner);
    for (let axis = rank - 2; axis >= 0; axis--) {
      a += sa[axis]!;
      b += sb[axis]!;
      if (++index[axis]! < dims[axis]!) break;
      a -= sa[axis]! * dims[axis]!;
      b -= sb[axis]! * dims[axis]!;
      index[axis] = 0;
    }
  }
}
