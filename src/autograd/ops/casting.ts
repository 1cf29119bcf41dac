import { convert, type DType } from "../../tensor/index.js";
import { op } from "../op.js";

/** The same elements as another type. Between floating types it has a gradient: the walker casts the cotangent back. */
export const castOp = op<{ readonly dtype: DType }>({
  name: "cast",
  forward: ([x], { dtype }) => convert(x!, dtype),
  vjp: ({ cotangent }) => [cotangent],
});
