import { hvp, tensor, type Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { cotangentLike, type LawResult, type TensorFunction } from "../../../src/testing/index.js";
import { checkAgreement } from "./agreement.js";

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

/** Along `axis` of x and of the result: f of x in another order is f(x) in that order, to `tolerance`. */
export function checkPermutation(
  f: TensorFunction,
  x: Tensor,
  axis: number,
  order: readonly number[],
  tolerance: number,
): LawResult {
  const rows = tensor(Int32Array.from(order));
  return checkAgreement("Permutation", tolerance, [
    ["the result in another order", f(x.gather(rows, axis)), f(x).gather(rows, axis)],
  ]);
}

/** Outputs before place `at` of `axis` keep every bit, whatever comes from there on: other numbers, or NaN. */
export function checkNoFuture(f: TensorFunction, x: Tensor, axis: number, at: number): LawResult {
  const comparison = new Comparison("NoFuture");
  const earlier = (y: Tensor): Tensor => y.slice([...Array<null>(axis).fill(null), [0, at]]);
  const values = x.values();
  const inner = x.shape.slice(axis + 1).reduce((a, b) => a * b, 1);
  const replaced = (by: (value: number) => number): Tensor =>
    tensor(
      values.map((value, i) => (Math.floor(i / inner) % x.shape[axis]! >= at ? by(value) : value)),
      { shape: [...x.shape], dtype: x.dtype },
    );
  const wanted = earlier(f(x));
  for (const later of [replaced((value) => 3 * value + 1), replaced(() => NaN)])
    comparison.bits("an earlier output", earlier(f(later)), wanted);
  return comparison.result();
}
