import { fail, formatGiven, markTensors } from "../errors/index.js";
import {
  formatArray,
  formatShape,
  isFloating,
  sameShape,
  toNested,
  type DType,
  type Elements,
  NDArray,
  type Nested,
  type Shape,
} from "../tensor/index.js";
import type { TensorMethods } from "./methods.js";
import { currentLifetime, type Lifetime } from "./lifetime.js";
import type { GraphNode } from "./node.js";

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface Tensor extends TensorMethods {}

/**
 * A differentiable value. Immutable but for {@link assign}: operations make new tensors. Most operations of the package are
 * functions that take the tensor first, and methods of the same name.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class Tensor {
  /** @internal The value; for use by operations, never to be written. */
  array: NDArray;

  private gradient: Tensor | undefined = undefined;

  /** Counts the calls of {@link assign}. */
  version = 0;

  /** @internal */
  constructor(
    array: NDArray,
    private flows: boolean = false,
    private recorded: GraphNode | undefined = undefined,
  ) {
    if (flows && !isFloating(array.dtype)) {
      fail("E_DTYPE", `requiresGrad: expected float32 or float64, got ${array.dtype}; cast it first`);
    }
    this.array = array.home ? array.shared() : array;
  }

  /** The gradient that `backward()` left here, summed over passes; undefined until one was computed. It outlives a scope. */
  get grad(): Tensor | undefined {
    return this.gradient;
  }

  set grad(gradient: Tensor | undefined) {
    if (gradient !== undefined && !(gradient instanceof Tensor))
      fail("E_VALUE", `grad: expected a tensor or undefined, got ${formatGiven(gradient)}`);
    this.gradient = gradient;
    currentLifetime()?.graded.add(this);
  }

  /** Whether gradients flow here: a leaf that asked for one, or a result that depends on such a leaf. */
  get requiresGrad(): boolean {
    return this.flows;
  }

  /** @internal How this value was made, when that was recorded. */
  get node(): GraphNode | undefined {
    return this.recorded;
  }

  /** @internal Makes the value outlive the scope that ends; a result recorded there becomes a constant. */
  outlive(scope: Lifetime): void {
    this.array.persist();
    if (this.recorded?.lifetime !== scope) return;
    this.recorded = undefined;
    this.flows = false;
  }

  /** Sizes along the axes. */
  get shape(): Shape {
    return this.array.shape;
  }

  /** The element type. */
  get dtype(): DType {
    return this.array.dtype;
  }

  /** The number of axes. */
  get rank(): number {
    return this.array.shape.length;
  }

  /** The number of elements. */
  get size(): number {
    return this.array.size;
  }

  /** Whether this is a leaf of the graph: made by the user, not by a recorded operation. */
  get isLeaf(): boolean {
    return this.node === undefined;
  }

  /** A copy of the elements as nested lists; a plain number for a scalar. */
  toArray(): Nested {
    return toNested(this.array);
  }

  /** A copy of the elements as a flat typed array, row-major. */
  values(): Elements {
    return this.array.data.slice();
  }

  /** The one element of a tensor of size 1, as a number. Throws `E_SHAPE` for any other size. */
  item(): number {
    if (this.size !== 1)
      fail("E_SHAPE", `item: expected one element, got shape ${formatShape(this.shape)}; use toArray()`);
    return this.array.data[0]!;
  }

  /** The same value, cut off from the graph. */
  detach(): Tensor {
    return new Tensor(this.array);
  }

  /**
   * Replaces the value of a leaf by another of the same shape and type, and advances its version: a backward pass over
   * what was recorded before is then refused with `E_STALE`.
   */
  assign(value: Tensor): this {
    if (this.node)
      fail("E_VALUE", "assign: only a leaf can be assigned to, this tensor is the result of an operation");
    if (!(value instanceof Tensor)) fail("E_VALUE", `assign: expected a tensor, got ${typeof value}`);
    if (value.dtype !== this.dtype)
      fail("E_DTYPE", `assign: expected ${this.dtype}, got ${value.dtype}; cast it first`);
    if (!sameShape(value.shape, this.shape)) {
      fail("E_SHAPE", `assign: expected shape ${formatShape(this.shape)}, got ${formatShape(value.shape)}`);
    }
    this.array = value.array.isTemporary ? NDArray.copyOf(value.array) : value.array.shared();
    this.version++;
    return this;
  }

  /** As NumPy prints it: `tensor([[1., 2.]])`, with the type when it is not float32, and the shape when nothing is in it. */
  toString(): string {
    const notes = [
      this.size === 0 && this.rank > 1 ? `shape=${formatShape(this.shape)}` : "",
      this.dtype === "float32" ? "" : this.dtype,
      this.requiresGrad ? "requiresGrad" : "",
    ];
    return `tensor(${[formatArray(this.array, "tensor(", ")"), ...notes.filter(Boolean)].join(", ")})`;
  }

  /** The elements as nested lists, for `JSON.stringify`. */
  toJSON(): Nested {
    return this.toArray();
  }

  /** Text in a template; any other use with JavaScript's operators is refused, for they do not compute with tensors. */
  [Symbol.toPrimitive](hint: "string" | "number" | "default"): string {
    if (hint === "string") return this.toString();
    return fail(
      "E_VALUE",
      "JavaScript's operators do not work on tensors; use methods such as add, mul, less, or item() for the number in a scalar",
    );
  }

  /** What Node's console shows. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

markTensors(Tensor);
