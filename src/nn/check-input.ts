import { Tensor } from "../autograd/index.js";
import { fail, formatGiven } from "../errors/index.js";
import { formatShape, type DType } from "../tensor/index.js";

/** Throws `E_VALUE` unless it is a tensor. */
export function checkTensor(owner: string, what: string, x: unknown): asserts x is Tensor {
  if (!(x instanceof Tensor))
    fail("E_VALUE", `${owner}: expected ${what} to be a tensor, got ${formatGiven(x)}`);
}

/** Throws `E_SHAPE` unless the last axis of x has `size` entries, and x as many axes as asked for. */
export function checkLastAxis(layer: string, x: Tensor, size: number, axes?: readonly string[]): void {
  checkTensor(layer, "the input", x);
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
  checkTensor(layer, what, x);
  if (x.rank !== shape.length || x.shape.some((size, axis) => size !== shape[axis])) {
    fail("E_SHAPE", `${layer}: expected ${what} of shape ${formatShape(shape)}, got ${formatShape(x.shape)}`);
  }
}

/** Throws `E_DTYPE` unless a tensor has the type of the layer's weights. */
export function checkWeightType(layer: string, what: string, x: Tensor, dtype: DType): void {
  checkTensor(layer, what, x);
  if (x.dtype !== dtype) {
    fail(
      "E_DTYPE",
      `${layer}: expected ${what} to be ${dtype} like the weights, got ${x.dtype}; cast it, or change the layer by to("${x.dtype}")`,
    );
  }
}
