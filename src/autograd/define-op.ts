import { fail } from "../errors/index.js";
import { dtypeOf, formatShape, inScope, liesInMemory, NDArray, sizeOf } from "../tensor/index.js";
import { asTensors, type TensorLike } from "./operands.js";
import { op, type Op } from "./op.js";
import { apply } from "./record.js";
import type { Tensor } from "./tensor.js";

/** The attributes of an operation as an argument, which may be left out when there are none. */
export type AttributesOf<Attributes> = undefined extends Attributes
  ? [attributes?: Attributes]
  : [Attributes];

/** The definition behind each function that {@link defineOp} made. */
const definitions = new WeakMap<object, Op<never>>();

/**
 * An operation of your own as a function of tensors. `forward` works on plain arrays and returns a new one; `vjp` gives the
 * cotangent of each input, written in operations of this package (or others of your own), so that second derivatives work;
 * where they cannot, let it throw `E_SECOND_ORDER`.
 */
export function defineOp<Attributes = undefined>(
  definition: Op<Attributes>,
): (inputs: readonly TensorLike[], ...attributes: AttributesOf<Attributes>) => Tensor {
  if (typeof definition?.forward !== "function" || typeof definition.vjp !== "function")
    fail("E_VALUE", "defineOp: expected { name, forward, vjp } with functions forward and vjp");
  const checked = op<Attributes>({
    ...definition,
    forward: (inputs, attributes) => {
      const out = definition.forward(inputs, attributes);
      if (!(out instanceof NDArray)) {
        fail("E_VALUE", `${definition.name}: expected its forward to return an NDArray, got ${typeof out}`);
      }
      if (dtypeOf(out.data) !== out.dtype) {
        fail("E_DTYPE", `${definition.name}: its result claims ${out.dtype} but holds ${dtypeOf(out.data)}`);
      }
      if (sizeOf(out.shape) !== out.data.length) {
        fail(
          "E_SHAPE",
          `${definition.name}: its result claims shape ${formatShape(out.shape)} but holds ${out.data.length} elements`,
        );
      }
      return isPartOf(out, inputs) ? NDArray.copyOf(out) : out;
    },
  });
  const operation = (inputs: readonly TensorLike[], ...[attributes]: AttributesOf<Attributes>): Tensor =>
    apply(checked, asTensors(definition.name, inputs), attributes as Attributes);
  definitions.set(operation, checked as unknown as Op<never>);
  return operation;
}

/** The operation that a function made by {@link defineOp} carries out, as it is recorded; undefined for any other function. */
export function definitionOf(operation: object): Op<never> | undefined {
  return definitions.get(operation);
}

/**
 * Whether a result must be copied: it is a short part of a scope's memory, which would pass for an array of the heap that
 * outlives the scope, or it is part of an input that its owner rewrites in place.
 */
function isPartOf(out: NDArray, inputs: readonly NDArray[]): boolean {
  const owned = inputs.some((input) => input.home);
  if ((inScope() || owned) && liesInMemory(out.data) && !out.isTemporary) return true;
  return owned && inputs.some(({ home }) => home?.elements.buffer === out.data.buffer && !out.isTemporary);
}
