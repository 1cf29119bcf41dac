import type { Tensor } from "../../../src/autograd/index.js";
import { checkSecondOrder, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/** Largest difference of the two first gradients, float64. */
const apart = 1e-12;

/**
 * `checkSecondOrder` of a function with a kernel for its first gradient: when the backward pass is recorded the gradient is
 * composed of operations and rounds otherwise, so that the gradient beside the product is that of the kernel up to rounding.
 */
export function checkSecondOrderOfFused(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const { failure, ...result } = checkSecondOrder(f, inputs);
  const parts = result.parts.map((part) =>
    part.name === "equal bits" ? { ...part, name: "gradient beside the product", tolerance: apart } : part,
  );
  const passed = parts.every(({ worst, tolerance }) => worst <= tolerance);
  if (passed) return { ...result, parts, passed };
  return { ...result, parts, passed, ...(failure && { failure }) };
}
