import { tensor, type Tensor } from "../../../src/autograd/index.js";
import type { EquivarianceOptions } from "../../../src/testing/index.js";

/** Equivariance of a function of one tensor: with `axis` of its input in another order, that of its result is in this order. */
export function permutation(axis: number, order: readonly number[], tolerance: number): EquivarianceOptions {
  const places = tensor(Int32Array.from(order));
  const permuted = (x: Tensor): Tensor => x.gather(places, axis);
  return { transform: (x) => [permuted(x!)], result: permuted, tolerance };
}
