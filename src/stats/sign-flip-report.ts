import { pcg64 } from "../random/index.js";
import { checkSample, type Sample } from "./sample.js";

/** The number of sign patterns that the reports drew. */
const DRAWS = 20_000;

/**
 * The reports' Monte-Carlo sign-flip p, to the last digit: NumPy's `default_rng(0)` draws 20,000×n signs with
 * `integers(0, 2)·2 − 1`, and p = #{|mean(σ·d)| ≥ |mean(d)|}/20,000. There is no tolerance for ties and no "+1": this
 * recomputes what was printed; {@link signFlipTest} is the test to use.
 *
 * @throws E_VALUE for no differences or one that is not finite
 */
export function signFlipReport(diffs: Sample): {
  readonly p: number;
  readonly extreme: number;
  readonly total: number;
} {
  checkSample(diffs, "the sign-flip test");
  const n = diffs.length;
  const observed = Math.abs(pairwiseSum(diffs, 0, n) / n);
  const bits = pcg64(0);
  const flipped = new Float64Array(n);
  let extreme = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let i = 0; i < n; i++) flipped[i] = bits.next32() >>> 31 ? diffs[i] : -diffs[i];
    if (Math.abs(pairwiseSum(flipped, 0, n) / n) >= observed) extreme++;
  }
  return { p: extreme / DRAWS, extreme, total: DRAWS };
}

/**
 * The sum of a range in the order in which NumPy adds a contiguous row, since ties are broken by the last bit: eight
 * running sums over up to 128 values, halves (cut at a multiple of eight) above that, plainly below eight.
 */
function pairwiseSum(values: Sample, start: number, count: number): number {
  if (count < 8) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += values[start + i];
    return sum;
  }
  if (count > 128) {
    const half = (count >> 1) - ((count >> 1) % 8);
    return pairwiseSum(values, start, half) + pairwiseSum(values, start + half, count - half);
  }
  const whole = count - (count % 8);
  const lane = (at: number): number => {
    let sum = values[start + at];
    for (let i = at + 8; i < whole; i += 8) sum += values[start + i];
    return sum;
  };
  let sum = lane(0) + lane(1) + (lane(2) + lane(3)) + (lane(4) + lane(5) + (lane(6) + lane(7)));
  for (let i = whole; i < count; i++) sum += values[start + i];
  return sum;
}
