import { fail, formatGiven } from "../../errors/index.js";
import type { InitOptions } from "../check-options.js";

/** Where the reset gate applies: to the product h·W_hnᵀ + b_hn (PyTorch), or to h before it (Keras with reset_after=False). */
export type ResetPlace = "after" | "before";

/** Options of a GRU cell. */
export interface GRUCellOptions extends InitOptions {
  /** Add both biases. Default true. */
  readonly bias?: boolean;
  /** Default `after`, as PyTorch and cuDNN; `before` is the paper's form and Keras with reset_after=False. */
  readonly reset?: ResetPlace;
}

/** Throws `E_VALUE` for a word that is no place of the reset gate. */
export function checkedReset(layer: string, reset: ResetPlace = "after"): ResetPlace {
  if (reset !== "after" && reset !== "before") {
    fail("E_VALUE", `${layer}: expected reset to be "after" or "before", got ${formatGiven(reset)}`);
  }
  return reset;
}
