import { hvp, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, type LawResult, type TensorFunction } from "../../../src/testing/index.js";

/** A second derivative is refused with a coded error, never given wrongly. */
export function checkSecondOrderRefused(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const comparison = new Comparison("SecondOrderRefused");
  let found = "a number";
  try {
    hvp(
      (...xs) =>
        f(...xs)
          .square()
          .sum(),
      inputs,
      inputs.map((x) => cotangentLike(x)),
    );
  } catch (error) {
    found = String(error);
  }
  comparison.error("refused", 0, found.includes("E_SECOND_ORDER") ? 0 : Infinity, () => ({
    where: "the second derivative",
    expected: "E_SECOND_ORDER",
    found,
  }));
  return comparison.result();
}
