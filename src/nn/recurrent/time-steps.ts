import { slice, type Tensor } from "../../autograd/index.js";

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
