import type { Tensor } from "../../autograd/index.js";

/** The parameters of one GRU layer: `[3·hidden, inputs]`, `[3·hidden, hidden]` and twice `[3·hidden]`, in the order r, z, n. */
export interface GruWeights {
  readonly weightIh: Tensor;
  readonly weightHh: Tensor;
  /** Both biases or none. */
  readonly biasIh: Tensor | undefined;
  readonly biasHh: Tensor | undefined;
}

/** The weights as inputs of an operation. */
export function listOf({ weightIh, weightHh, biasIh, biasHh }: GruWeights): Tensor[] {
  return biasIh && biasHh ? [weightIh, weightHh, biasIh, biasHh] : [weightIh, weightHh];
}

/** The reverse of {@link listOf}, whatever stands for the tensors. */
export function weightsOf<T>([weightIh, weightHh, biasIh, biasHh]: readonly T[]): {
  weightIh: T;
  weightHh: T;
  biasIh: T | undefined;
  biasHh: T | undefined;
} {
  return { weightIh: weightIh!, weightHh: weightHh!, biasIh, biasHh };
}
