import type { Elements } from "./dtype.js";
import { coalesce, forEachRow } from "./layout.js";
import type { Shape } from "./shape.js";

/**
 * out[i, j, …] = x[offset + i·strides[0] + j·strides[1] + …], written contiguously. Permuting, slicing, flipping and
 * expanding are all this walk with other strides.
 */
export function stridedCopy(
  x: Elements,
  offset: number,
  dims: Shape,
  strides: readonly number[],
  out: Elements,
): void {
  const layout = coalesce(dims, [strides]);
  const inner = layout.dims[layout.dims.length - 1]!;
  const step = layout.strides[0]![layout.dims.length - 1]!;
  if (step === 1) {
    forEachRow(layout, (from, _, to) => {
      const start = offset + from;
      if (inner < 32) for (let i = 0; i < inner; i++) out[to + i] = x[start + i]!;
      else out.set(x.subarray(start, start + inner), to);
    });
  } else {
    forEachRow(layout, (from, _, to) => {
      for (let i = 0, at = offset + from; i < inner; i++, at += step) out[to + i] = x[at]!;
    });
  }
}

/**
 * The reverse walk: out[offset + i·strides[0] + …] = x[i, j, …] read contiguously; what the walk does not reach stays.
 */
export function stridedWrite(
  x: Elements,
  out: Elements,
  offset: number,
  dims: Shape,
  strides: readonly number[],
): void {
  const layout = coalesce(dims, [strides]);
  const inner = layout.dims[layout.dims.length - 1]!;
  const step = layout.strides[0]![layout.dims.length - 1]!;
  forEachRow(layout, (to, _, from) => {
    for (let i = 0, at = offset + to; i < inner; i++, at += step) out[at] = x[from + i]!;
  });
}
