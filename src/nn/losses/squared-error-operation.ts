import { defineOp, isRecording, Tensor } from "../../autograd/index.js";
import { kernels, NDArray, reserve, type FloatDType, type Floats } from "../../tensor/index.js";

/** `difference` is kept by the forward pass for the backward pass. */
interface Attributes {
  /** What the sum of squares is divided by. */
  readonly count: number;
  difference?: Floats;
}

/** {@link squaredError} as an operation. */
export const squaredErrorOperation = defineOp<Attributes>({
  name: "squaredError",
  forward: ([prediction, target], attributes) => {
    const { size } = prediction!;
    const dtype = prediction!.dtype as FloatDType;
    const difference = reserve(dtype, size);
    const square = reserve(dtype, size);
    const together = { dims: [size], strides: [[1], [1]] };
    kernels().binary("sub", together, prediction!.data as Floats, target!.data as Floats, difference);
    kernels().unary("square", difference, square);
    const out = reserve(dtype, 1);
    kernels().reduce("sum", { outer: 1, length: size, inner: 1 }, square, out);
    out[0] = out[0]! / attributes.count;
    attributes.difference = difference;
    return new NDArray([], dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [prediction, target], attributes: { count, difference }, needs }) => {
    if (isRecording()) {
      const slope = prediction!.sub(target!).mul(2).mul(g.div(count));
      return [slope, needs[1] ? slope.neg() : undefined];
    }
    const scaled = (times: number): Tensor => {
      const out = reserve(g.dtype as FloatDType, prediction!.size);
      const factor = reserve(g.dtype as FloatDType, 1).fill((g.item() / count) * times);
      kernels().binary("mul", { dims: [out.length], strides: [[1], [0]] }, difference!, factor, out);
      return new Tensor(new NDArray(prediction!.shape, g.dtype, out));
    };
    return [needs[0] ? scaled(2) : undefined, needs[1] ? scaled(-2) : undefined];
  },
});

/**
 * Σ(prediction − target)²/count of two tensors of one shape and floating type, not empty, as one operation. Its gradient is fused
 * too; when the backward pass itself is recorded, it is composed of elementary operations, so that second derivatives work.
 */
export function squaredError(prediction: Tensor, target: Tensor, count: number): Tensor {
  return squaredErrorOperation([prediction, target], { count });
}
