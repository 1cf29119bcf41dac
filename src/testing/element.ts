import type { Shape } from "../tensor/index.js";

/** The index along each axis of the element at a place of the flat, row-major array. */
export function unravel(at: number, shape: Shape): number[] {
  const index = new Array<number>(shape.length);
  let rest = at;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = rest % shape[axis]!;
    rest = Math.floor(rest / shape[axis]!);
  }
  return index;
}

/** An element as it is written: `[1, 2]`. */
export function elementText(at: number, shape: Shape): string {
  return `[${unravel(at, shape).join(", ")}]`;
}
