import { fail } from "../../errors/index.js";

/** The largest amplification that is let through where nothing is said. TODO study. */
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
