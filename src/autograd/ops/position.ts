import { checkedOptions, fail } from "../../errors/index.js";
import { formatShape, NDArray, normalizeAxis } from "../../tensor/index.js";
import { asTensor, type TensorLike } from "../operands.js";
import type { PlainOp } from "../op.js";
import { applyPlain } from "../record.js";
import type { Tensor } from "../tensor.js";
import { alongAxes, keptShape } from "./along-axes.js";
import { dropAxes, type ReduceOptions } from "./reduction.js";

const arg = (
  name: "argmax" | "argmin",
  better: (a: number, b: number) => boolean,
): PlainOp<{ readonly axis: number }> => ({
  name,
  forward: ([x], { axis }) => {
    const { data, along } = alongAxes(x!, [axis]);
    const { outer, length, inner } = along;
    if (length === 0)
      fail("E_SHAPE", `${name}: axis ${axis} of shape ${formatShape(x!.shape)} has no elements`);
    const out = new Int32Array(outer * inner);
    for (let o = 0; o < outer; o++) {
      for (let j = 0; j < inner; j++) {
        let best = 0;
        for (let i = 1; i < length; i++) {
          const value = data[(o * length + i) * inner + j]!;
          const current = data[(o * length + best) * inner + j]!;
          if (better(value, current) || (Number.isNaN(value) && !Number.isNaN(current))) best = i;
        }
        out[o * inner + j] = best;
      }
    }
    return new NDArray(keptShape(x!.shape, [axis]), "int32", out);
  },
});

/** Operations whose result is an index: without a gradient. */
export const position = { argmax: arg("argmax", (a, b) => a > b), argmin: arg("argmin", (a, b) => a < b) };

function argument(
  operation: PlainOp<{ readonly axis: number }>,
  x: TensorLike,
  axis: number | undefined,
  options: ReduceOptions,
): Tensor {
  checkedOptions(operation.name, options);
  const input = asTensor(x);
  if (axis === undefined) {
    const flat = applyPlain(operation, [input.reshape([input.size])], { axis: 0 });
    return flat.reshape(options.keepDims ? input.shape.map(() => 1) : []);
  }
  const at = normalizeAxis(operation.name, axis, input.rank);
  const kept = applyPlain(operation, [input], { axis: at });
  return options.keepDims ? kept : dropAxes(kept, [at]);
}

/** The index of the first largest element along an axis (of the flat tensor when left out), int32; NaN counts as largest. */
export function argmax(x: TensorLike, axis?: number, options: ReduceOptions = {}): Tensor {
  return argument(position.argmax, x, axis, options);
}

/** The index of the first smallest element along an axis (of the flat tensor when left out), int32; NaN counts as smallest. */
export function argmin(x: TensorLike, axis?: number, options: ReduceOptions = {}): Tensor {
  return argument(position.argmin, x, axis, options);
}
