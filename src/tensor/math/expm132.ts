import { expm1Rest, reductionCount, reductionRest } from "./exp-reduction.js";
import { powerOfTwo } from "./powers-of-two.js";

const OVERFLOW = 88.72283935546875;
/** Below it e^x is under half a unit of the last place of −1. */
const SATURATION = -17.5;

/**
 * e^x − 1 for a float32 x, in float32 arithmetic: 2·(2^(n−1)·s + (2^(n−1) − ½)), see exp-reduction; halved so that
 * n = 128 does not overflow early. The sign of zero is kept.
 * Measured over the whole range: at most 1.56 units of the last place.
 */
export function expm132(x: number): number {
  if (!(x <= OVERFLOW)) return x * Infinity;
  if (x === 0) return x;
  if (x < SATURATION) return -1;
  const n = reductionCount(x);
  const s = expm1Rest(reductionRest(x, n));
  const half = powerOfTwo(n - 1);
  return Math.fround(2 * Math.fround(Math.fround(half * s) + Math.fround(half - 0.5)));
}
