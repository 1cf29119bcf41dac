import { defineOp, slice, type Tensor } from "../../autograd/index.js";
import { NDArray, reserve, stridedWrite, type FloatDType } from "../../tensor/index.js";

/**
 * The entries of x `[batch, time, …]` along time, each `[batch, …]`. Cut in halves again and again, so that the backward pass
 * costs time·log(time) and not time² as one slice a step would.
 */
export function timeSteps(x: Tensor): Tensor[] {
  const length = x.shape[1]!;
  if (!x.requiresGrad) return Array.from({ length }, (_, t) => slice(x, [null, t]));
  if (length === 0) return [];
  if (length === 1) return [x.squeeze(1)];
  return x.split([length >> 1, length - (length >> 1)], 1).flatMap(timeSteps);
}

/** {@link joinSteps} as an operation. */
export const joinStepsOperation = defineOp({
  name: "joinSteps",
  forward: (steps) => {
    const [batch, width] = steps[0]!.shape as [number, number];
    const dtype = steps[0]!.dtype as FloatDType;
    const time = steps.length;
    const out = reserve(dtype, batch * time * width);
    if (out.length > 0) {
      const strides = [time * width, 1];
      steps.forEach(({ data }, t) => stridedWrite(data, out, t * width, [batch, width], strides));
    }
    return new NDArray([batch, time, width], dtype, out);
  },
  vjp: ({ cotangent, needs }) => needs.map((needed, t) => (needed ? cotangent.slice([null, t]) : undefined)),
});

/** The reverse of {@link timeSteps}: entries `[batch, width]`, all of one floating type, as `[batch, time, width]`. */
export function joinSteps(steps: readonly Tensor[]): Tensor {
  return joinStepsOperation(steps);
}
