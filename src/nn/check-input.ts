import type { Tensor } from "../autograd/index.js";
import { fail } from "../errors/index.js";
import { formatShape, type DType } from "../tensor/index.js";

/** Throws `E_SHAPE` unless the last axis of x has `size` entries, and x as many axes as asked for. */
export function checkLastAxis(layer: string, x: Tensor, size: number, axes?: readonly string[]): void {
  const wanted = axes ? `[${axes.join(", ")}]` : "[…]";
  if ((axes && x.rank !== axes.length) || x.rank === 0 || x.shape[x.rank - 1] !== size) {
    fail(
      "E_SHAPE",
      `${layer}: expected ${wanted} with ${size} entries along the last axis, got ${formatShape(x.shape)}`,
    );
  }
}

/** Throws `E_SHAPE` unless a tensor has exactly this shape. */
export function checkShapeIs(layer: string, what: string, x: Tensor, shape: readonly number[]): void {
  if (x.rank !== shape.length || x.shape.some((size, axis) => size !== shape[axis])) {
    fail("E_SHAPE", `${layer}: expected ${what} of shape ${formatShape(shape)}, got ${formatShape(x.shape)}`);
  }
}

/** Throws `E_DTYPE` unless a tensor has the type of the layer's weights. */
export function checkWeightType(layer: string, what: string, x: Tensor, dtype: DType): void {
  if (x.dtype !== dtype) {
    fail(
      "E_DTYPE",
      `${layer}: expected ${what} to be ${dtype} like the weights, got ${x.dtype}; cast it, or change the layer by to("${x.dtype}")`,
    );
  }
}
