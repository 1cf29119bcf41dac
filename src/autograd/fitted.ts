import { fail } from "../errors/index.js";
import { broadcastsTo, formatShape, sameShape } from "../tensor/index.js";
import type { Tensor } from "./tensor.js";

/**
 * Undoes broadcasting and promotion, for every operation: sums the cotangent down to the shape and casts it to the type
 * of the input. `name` is the operation whose rule gave it. Throws `E_SHAPE` where the shapes do not allow it.
 */
export function fitted(cotangent: Tensor, input: Tensor, name: string): Tensor {
  const fit = sameShape(cotangent.shape, input.shape) ? cotangent : summedDown(cotangent, input, name);
  return fit.dtype === input.dtype ? fit : fit.cast(input.dtype);
}

function summedDown(cotangent: Tensor, input: Tensor, name: string): Tensor {
  if (!broadcastsTo(input.shape, cotangent.shape)) {
    fail(
      "E_SHAPE",
      `the gradient rule of '${name}' gave shape ${formatShape(cotangent.shape)} for an input of shape ${formatShape(input.shape)}`,
    );
  }
  const missing = cotangent.rank - input.rank;
  const axes = cotangent.shape
    .map((_, axis) => axis)
    .filter((axis) => axis < missing || input.shape[axis - missing] !== cotangent.shape[axis]);
  return cotangent.sum(axes, { keepDims: true }).reshape(input.shape);
}
