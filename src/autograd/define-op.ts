import { fail } from "../errors/index.js";
import { formatShape, sizeOf } from "../tensor/index.js";
import { op, type Op } from "./op.js";
import { apply } from "./record.js";
import type { Tensor } from "./tensor.js";

/**
 * An operation of your own as a function of tensors. `forward` works on plain arrays and returns a new one; `vjp` gives the
 * cotangent of each input, written in operations of this package (or others of your own), so that second derivatives work;
 * where they cannot, let it throw `E_SECOND_ORDER`.
 */
export function defineOp<Attributes = undefined>(
  definition: Op<Attributes>,
): (inputs: readonly Tensor[], attributes: Attributes) => Tensor {
  const checked = op<Attributes>({
    ...definition,
    forward: (inputs, attributes) => {
      const out = definition.forward(inputs, attributes);
      if (sizeOf(out.shape) !== out.data.length) {
        fail(
          "E_SHAPE",
          `${definition.name}: its result claims shape ${formatShape(out.shape)} but holds ${out.data.length} elements`,
        );
      }
      return out;
    },
  });
  return (inputs, attributes) => apply(checked, inputs, attributes);
}
