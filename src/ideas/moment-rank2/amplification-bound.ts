import { fail } from "../../errors/index.js";

/**
 * The largest amplification that is let through where nothing is said: the least bound of those tried that leaves the
 * gradient all but unbiased in the median, and nine in ten gradients within 10 %. `benchmarks/amplification-bound.mjs`
 * gives, on `rnn_small` and `dynamics` (400 series, batches of 32, Adam at 0.006, form B),
 *
 * | bound | bias of the gradient: median, 90 %, greatest | norm of a gradient: median, greatest | mean test error |
 * | --- | --- | --- | --- |
 * | 2 | 0.13, 0.80, 1.0 | 0.51, 4.5 | 0.038 |
 * | 4 | 0.033, 0.26, 0.96 | 0.61, 6.8 | 0.056 |
 * | 8 | 0.0045, 0.062, 0.47 | 0.60, 15 | 0.064 |
 * | 16 | 0, 0.013, 0.067 | 0.58, 100 | 0.060 |
 * | none | 0 | 0.60, 61 | 0.073 |
 * | `tangent` | 0.47, 0.95, 1.0 | 0.31, 1.8 | 0.053 |
 * | `straight-through` | 0.83, 1.3, 3.1 | 2.1, 270 | 0.14 |
 *
 * with the bias relative to the unclipped gradient of the whole model at the same parameters (56 gradients over four
 * runs of 14 epochs under the default), norms and errors of 4 seeds after 8 epochs. Norms beyond the median are rare and
 * erratic, and four seeds are too few to rank the errors but for straight-through, which is far the worst. A lower bound
 * is a choice worth a sweep.
 */
export const defaultBound = 8;

/**
 * Whether the amplification a = s_i/(s_i − s_j) of a kept and a discarded singular value, s_i ≥ s_j, reaches the
 * bound; asked without the division, so that a vanishing gap needs no case of its own. Never where s_j = 0: there the
 * amplification is 1, also for s_i = 0. With `single`, bound, gap and product are rounded to float32.
 */
export function reachesBound(kept: number, discarded: number, bound: number, single = false): boolean {
  if (!(discarded > 0)) return false;
  if (!single) return kept >= bound * (kept - discarded);
  return kept >= Math.fround(Math.fround(bound) * Math.fround(kept - discarded));
}

/** E_VALUE unless the bound is a number of at least 1; Infinity never clips. */
export function checkBound(bound: unknown): asserts bound is number {
  if (!(typeof bound === "number" && bound >= 1)) {
    fail(
      "E_VALUE",
      `truncation: the bound on the amplification s_i/(s_i − s_j) must be a number of at least 1, not ${String(bound)}; ` +
        "Infinity never clips",
    );
  }
}
