import type { Tensor } from "../../../src/autograd/index.js";
import { Comparison } from "../../../src/testing/comparison.js";
import { largest, type LawResult } from "../../../src/testing/index.js";

/** Pairs of tensors that must agree, each within `tolerance` of max(1, the largest expected entry). */
export function checkAgreement(
  law: string,
  tolerance: number,
  pairs: Iterable<readonly [what: string, found: Tensor, expected: Tensor]>,
): LawResult {
  const comparison = new Comparison(law);
  for (const [what, found, expected] of pairs)
    comparison.tensors(found.cast(expected.dtype), expected, {
      part: what,
      tolerance,
      where: what,
      scale: Math.max(1, largest(expected.values())),
    });
  return comparison.result();
}
