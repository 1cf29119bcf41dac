import type { Tensor } from "../../autograd/index.js";
import { Comparison } from "../comparison.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";

/** Two tensors have the same shape, type and bits; any NaN is any NaN, −0 is not 0. */
export function checkEqualBits(found: Tensor, expected: Tensor): LawResult {
  const comparison = new Comparison("EqualBits");
  comparison.bits("the tensor", found, expected);
  return comparison.result();
}

/** {@link checkEqualBits}, throwing `E_LAW` when it does not hold. */
export function expectEqualBits(found: Tensor, expected: Tensor): LawResult {
  return required(checkEqualBits(found, expected));
}
