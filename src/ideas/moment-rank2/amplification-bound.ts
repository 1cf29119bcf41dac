import { fail } from "../../errors/index.js";

/**
 * The largest amplification that is let through where nothing is said: the least bound that leaves the gradient all but
 * unbiased. A study on `rnn_small` and `dynamics` (400 series, batches of 32, Adam at 0.006, form B) gives
 *
 * | bound | bias of the gradient: median, 90 %, greatest | greatest norm of a gradient | mean test error |
 * | --- | --- | --- | --- |
 * | 2 | 0.33, 0.84, 1.0 | 4 | 0.042 |
 * | 4 | 0.06, 0.52, 0.84 | 20 | 0.049 |
 * | 8 | 0.003, 0.15, 0.36 | 9 | 0.054 |
 * | 16 | 0.0001, 0.02, 0.25 | 7 | 0.059 |
 * | none | 0 | 43 | 0.083 |
 *
 * with the bias relative to the unclipped gradient of the whole model at the same parameters (56 gradients over four
 * runs of 14 epochs), norms and errors of 4 seeds after 8 epochs (the median norm is 0.4 to 0.7 in each row). `tangent`
 * has a bias of 0.59 and an error of 0.050, `straight-through` 0.78 and 0.137. Errors differ by less than 4 seeds can
 * tell, except that those without a bound and straight-through are worse: a lower bound is a choice worth a sweep.
 */
export const defaultBound = 8;

/**
 * Whether the amplification a = s_i/(s_i − s_j) of a kept and a discarded singular value, s_i ≥ s_j, reaches the
 * bound; asked without the division, so that a vanishing gap needs no case of its own. Never where s_j = 0: there the
 * amplification is 1, also for s_i = 0.
 */
export function reachesBound(kept: number, discarded: number, bound: number): boolean {
  return discarded > 0 && kept >= bound * (kept - discarded);
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
