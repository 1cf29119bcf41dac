import type { Elements } from "../../dtype.js";
import type { Walk } from "../kernels.js";

/** Calls `plane(at, row)` for each pair of the last two axes: where it begins in the walk, and its number. */
function forEachPlane({ dims, strides, offset }: Walk, plane: (at: number, number: number) => void): void {
  const outer = dims.length - 2;
  let count = 1;
  for (let axis = 0; axis < outer; axis++) count *= dims[axis]!;
  const index = new Array<number>(Math.max(outer, 0)).fill(0);
  let at = offset;
  for (let number = 0; number < count; number++) {
    plane(at, number);
    for (let axis = outer - 1; axis >= 0; axis--) {
      at += strides[axis]!;
      if (++index[axis]! < dims[axis]!) break;
      at -= strides[axis]! * dims[axis]!;
      index[axis] = 0;
    }
  }
}

/** Sizes and strides of the last two axes. */
function planeOf({ dims, strides }: Walk): { rows: number; columns: number; down: number; across: number } {
  const last = dims.length - 1;
  const rows = last > 0 ? dims[last - 1]! : 1;
  return { rows, columns: dims[last]!, down: last > 0 ? strides[last - 1]! : 0, across: strides[last]! };
}

/** Runs of at least this many neighbours are copied as one. */
const run = 32;

/** out[i, j, …] = x[offset + i·strides[0] + j·strides[1] + …], written contiguously. */
export function pack(walk: Walk, x: Elements, out: Elements): void {
  const { rows, columns, down, across } = planeOf(walk);
  forEachPlane(walk, (start, number) => {
    let to = number * rows * columns;
    for (let row = 0; row < rows; row++) {
      let at = start + row * down;
      if (across === 1 && columns >= run) {
        out.set(x.subarray(at, at + columns), to);
        to += columns;
      } else for (const end = to + columns; to < end; to++, at += across) out[to] = x[at]!;
    }
  });
}

/** The reverse: out[offset + i·strides[0] + …] = x[i, j, …], read contiguously; what the walk does not reach stays. */
export function unpack(walk: Walk, x: Elements, out: Elements): void {
  const { rows, columns, down, across } = planeOf(walk);
  forEachPlane(walk, (start, number) => {
    let from = number * rows * columns;
    for (let row = 0; row < rows; row++) {
      let at = start + row * down;
      if (across === 1 && columns >= run) {
        out.set(x.subarray(from, from + columns), at);
        from += columns;
      } else for (const end = from + columns; from < end; from++, at += across) out[at] = x[from]!;
    }
  });
}
