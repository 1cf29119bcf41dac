import { fail } from "../errors/index.js";
import { allocate, dtypeOf, type DType, type Elements } from "./dtype.js";
import { enrol, inScope, isTemporary, reserve, type LastingStorage } from "./memory/index.js";
import { checkedShape, formatShape, sizeOf, type Shape } from "./shape.js";

/**
 * The plain value behind a tensor: a shape, an element type and contiguous row-major elements. It knows nothing of
 * gradients. Whoever makes one fills it; from then on nobody writes into it, but for the owner of one that has a `home`.
 */
export class NDArray {
  /** undefined once the scope that this was made in has ended. */
  private elements: Elements | undefined;

  constructor(
    readonly shape: Shape,
    readonly dtype: DType,
    data: Elements,
    /**
     * @internal The storage that the elements are part of, when an owner rewrites them in place. Such an array stays with
     * its tensor; whoever else wants the value takes it by {@link shared} or {@link fresh}.
     */
    readonly home: LastingStorage | undefined = undefined,
  ) {
    this.elements = data;
    if (inScope() && isTemporary(data)) enrol(this);
  }

  /** The elements, row-major. Throws `E_SCOPE` when they were given back at the end of a scope. */
  get data(): Elements {
    return this.elements ?? this.refuse();
  }

  /** @internal Whether the elements lie in the memory of a scope. */
  get isTemporary(): boolean {
    return this.elements !== undefined && isTemporary(this.elements);
  }

  /** @internal Called when the scope ends. */
  release(): void {
    this.elements = undefined;
  }

  /** @internal Moves the elements out of a scope's memory, so that they outlive it. */
  persist(): void {
    if (this.isTemporary) this.elements = this.data.slice();
  }

  /** @internal The value for another holder: the array itself, or a copy on the heap when the elements may be rewritten. */
  shared(): NDArray {
    return this.home ? NDArray.copyOf(this) : this;
  }

  /** @internal The value as the result of an operation: as {@link shared}, but a copy lies where results do. */
  fresh(): NDArray {
    if (!this.home) return this;
    const copy = reserve(this.dtype, this.size);
    copy.set(this.data);
    return new NDArray(this.shape, this.dtype, copy);
  }

  private refuse(): never {
    return fail(
      "E_SCOPE",
      `this ${this.dtype} tensor of shape ${formatShape(this.shape)} was made in a scope that has ended; ` +
        "return it from the scope, or keep() it there",
    );
  }

  /** The number of elements. */
  get size(): number {
    return this.elements === undefined ? sizeOf(this.shape) : this.elements.length;
  }

  /** The number of axes. */
  get rank(): number {
    return this.shape.length;
  }

  /** The same elements under another shape of the same size; nothing is copied. */
  withShape(shape: Shape): NDArray {
    return new NDArray(shape, this.dtype, this.data, this.home);
  }

  /** An array of zeros. */
  static zeros(shape: Shape, dtype: DType): NDArray {
    return new NDArray(shape, dtype, allocate(dtype, sizeOf(shape)));
  }

  /** A copy on the heap. */
  static copyOf(x: NDArray): NDArray {
    return new NDArray(x.shape, x.dtype, x.data.slice());
  }

  /** Wraps elements without a copy. Throws `E_SHAPE` when their number is not that of the shape. */
  static of(shape: Shape, data: Elements): NDArray {
    const sizes = checkedShape("NDArray.of", shape);
    if (sizeOf(sizes) !== data.length) {
      fail("E_SHAPE", `shape ${formatShape(shape)} holds ${sizeOf(shape)} elements, got ${data.length}`);
    }
    return new NDArray(sizes, dtypeOf(data), data);
  }
}
