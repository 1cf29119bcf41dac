import type { Tensor } from "../../src/autograd/index.js";
import type { TensorFunction } from "../../src/testing/index.js";

/** A function of tensors. */
export type Function = TensorFunction;

/** A function written as a plain loop over the elements, in float64. */
export type Naive = (...xs: Tensor[]) => Tensor;

/** One use of an operation at a point where it is smooth. */
export interface Sample {
  readonly f: Function;
  /** float64 */
  readonly inputs: readonly Tensor[];
  /** The same as a loop, where small whole numbers come out exactly. */
  readonly naive?: Naive;
}

/** A sample on whole numbers, with its loop. */
export interface Exact extends Sample {
  readonly naive: Naive;
  /** It has no gradient. */
  readonly withoutGradient?: boolean;
}
