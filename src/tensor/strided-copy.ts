import type { Elements } from "./dtype.js";
import { kernels, type Walk } from "./kernels/index.js";
import type { Shape } from "./shape.js";

/** The walk without axes of size 1, neighbouring axes in one where a single step goes along both. At least one axis remains. */
function walkOf(offset: number, dims: Shape, strides: readonly number[]): Walk {
  const sizes: number[] = [];
  const steps: number[] = [];
  let last = -1;
  for (let axis = 0; axis < dims.length; axis++) {
    const size = dims[axis]!;
    const step = strides[axis]!;
    if (size === 1) continue;
    if (last >= 0 && steps[last] === step * size) {
      sizes[last]! *= size;
      steps[last] = step;
    } else {
      last++;
      sizes.push(size);
      steps.push(step);
    }
  }
  if (last < 0) {
    sizes.push(1);
    steps.push(0);
  }
  return { offset, dims: sizes, strides: steps };
}

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
  kernels().pack(walkOf(offset, dims, strides), x, out);
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
  kernels().unpack(walkOf(offset, dims, strides), x, out);
}
