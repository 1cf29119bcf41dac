import { fail } from "../errors/index.js";
import { allocate, dtypeOf, type DType, type Elements } from "./dtype.js";
import { formatShape, sizeOf, type Shape } from "./shape.js";

/**
 * The plain value behind a tensor: a shape, an element type and contiguous row-major elements. It knows nothing of
 * gradients. Whoever makes one fills it; from then on nobody writes into it, except an optimizer into a parameter.
 */
export class NDArray {
  constructor(
    readonly shape: Shape,
    readonly dtype: DType,
    readonly data: Elements,
  ) {}

  /** The number of elements. */
  get size(): number {
    return this.data.length;
  }

  /** The number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  /** The same elements under another shape of the same size; nothing is copied. */
  withShape(shape: Shape): NDArray {
    return new NDArray(shape, this.dtype, this.data);
  }

  /** An array of zeros. */
  static zeros(shape: Shape, dtype: DType): NDArray {
    return new NDArray(shape, dtype, allocate(dtype, sizeOf(shape)));
  }

  /** Wraps elements without a copy. Throws `E_SHAPE` when their number is not that of the shape. */
  static of(shape: Shape, data: Elements): NDArray {
    if (sizeOf(shape) !== data.length) {
      fail("E_SHAPE", `shape ${formatShape(shape)} holds ${sizeOf(shape)} elements, got ${data.length}`);
    }
    return new NDArray(shape, dtypeOf(data), data);
  }
}
