import { fail } from "../../../errors/index.js";
import { oneOf } from "../../one-of.js";

/**
 * When pivots are chosen anew: `doubling`, before chunks 1, 2, 4, 8, …, which keeps the time linear in the length; `chunk`,
 * before every chunk; `once`, before chunk 1 alone, after which nothing of the past but the pivots and their sums is needed.
 */
export const refreshments = ["doubling", "chunk", "once"] as const;

/** One of {@link refreshments}. */
export type Refresh = (typeof refreshments)[number];

/** How a causal attention goes through the tokens. */
export interface CausalSettings {
  readonly causal: boolean;
  /** The tokens that are attended to exactly, at most: those of a chunk up to the query itself. */
  readonly chunk: number;
  readonly refresh: Refresh;
}

/** The settings that hold where nothing is said. */
export const defaultCausalSettings: CausalSettings = { causal: false, chunk: 16, refresh: "doubling" };

/** Completes and checks the settings of the causal form. E_VALUE for one that is none. */
export function completeCausalSettings(given: {
  readonly [Name in keyof CausalSettings]?: unknown;
}): CausalSettings {
  const { causal = defaultCausalSettings.causal, chunk = defaultCausalSettings.chunk } = given;
  if (typeof causal !== "boolean") {
    fail("E_VALUE", `residual-pivoted: causal must be true or false, not ${String(causal)}`);
  }
  if (typeof chunk !== "number" || !Number.isInteger(chunk) || chunk < 1) {
    fail("E_VALUE", `residual-pivoted: chunk must be an integer of at least 1, not ${String(chunk)}`);
  }
  const refresh = oneOf(
    "residual-pivoted",
    "refresh",
    given.refresh ?? defaultCausalSettings.refresh,
    refreshments,
  );
  return { causal, chunk, refresh };
}

/** Whether pivots are chosen anew before chunk `at`; never before the first, which has no past. */
export function choosesBefore(at: number, refresh: Refresh): boolean {
  if (at === 0) return false;
  if (refresh === "chunk") return true;
  return refresh === "once" ? at === 1 : Number.isInteger(Math.log2(at));
}

/** How many times pivots are chosen for `tokens` tokens. */
export function choicesFor(tokens: number, { chunk, refresh }: CausalSettings): number {
  const chunks = Math.ceil(tokens / chunk);
  let count = 0;
  for (let at = 1; at < chunks; at++) if (choosesBefore(at, refresh)) count++;
  return count;
}
