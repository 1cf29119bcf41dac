import { fail, formatGiven } from "../errors/index.js";
import { Tensor } from "../autograd/index.js";

/** A trainable leaf of the graph: what {@link Module.parameters} finds and an optimizer updates. */
export class Parameter extends Tensor {
  /** Starts from the value of a tensor; throws `E_DTYPE` unless that is float32 or float64. */
  constructor(value: Tensor) {
    if (!(value instanceof Tensor))
      fail("E_VALUE", `Parameter: expected a tensor, got ${formatGiven(value)}`);
    super(value.array, true);
  }
}
