import type { Config, Extension } from "../record.js";
import { nextRate } from "./rate-ladder.js";
import type { SweepConfigs } from "./sweep-grid.js";

/** The arms whose best rate decides whether the grid is extended; a control follows them. */
export const decidingArms = ["baseline", "idea"] as const;

/**
 * What a sweep is extended by: where the best rate of the baseline or of the idea is the lowest or the highest that was
 * tried, the next one beyond that end, for every arm alike. Undefined when neither is.
 */
export function extensionOf(
  tried: SweepConfigs,
  best: Readonly<Record<(typeof decidingArms)[number], Config>>,
): Extension | undefined {
  const rates = [...tried.baseline, ...tried.changed].map(({ lr }) => lr);
  const ends = { lowest: Math.min(...rates), highest: Math.max(...rates) };
  const because = decidingArms
    .map((arm) => ({ arm, rate: best[arm].lr }))
    .filter(({ rate }) => rate === ends.lowest || rate === ends.highest);
  const added = (["lowest", "highest"] as const)
    .filter((end) => because.some(({ rate }) => rate === ends[end]))
    .map((end) => nextRate(ends[end], end));
  return added.length > 0 ? { rates: added, because } : undefined;
}
