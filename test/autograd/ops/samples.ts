import type fc from "fast-check";
import type { rules, Tensor, withoutGradient } from "../../../src/autograd/index.js";
import type { TensorFunction } from "../../../src/testing/index.js";

/** The operations that have a gradient rule. */
export type Differentiable = Exclude<keyof typeof rules, (typeof withoutGradient)[number]>;

/** One use of an operation at a point where it is smooth. */
export interface Sample {
  readonly f: TensorFunction;
  /** float64 */
  readonly inputs: readonly Tensor[];
}

/** How an operation is tested. */
export interface Subject {
  readonly samples: fc.Arbitrary<Sample>;
  /** The float32 gradient's error in units of u·max(|g|, |cotangent|); 4 when left out. */
  readonly float32Units?: number;
  /** Rounds to float32 on the way, so that differences and sums of gradients hold only to its precision. */
  readonly rounds?: boolean;
  /** Inputs broadcast against each other, elementwise. */
  readonly broadcasts?: boolean;
  /** Works on the last axes and treats leading ones as a batch. */
  readonly batches?: boolean;
}

/** A subject whose function does not depend on the drawn point. */
export function of(
  f: TensorFunction,
  inputs: fc.Arbitrary<readonly Tensor[]>,
  rest: Omit<Subject, "samples"> = {},
): Subject {
  return { samples: inputs.map((xs) => ({ f, inputs: xs })), ...rest };
}
