import type { Config, Extension } from "../record.js";
import { decidingArms, extensionOf } from "./extension.js";
import { sweepConfigs, widenedConfigs, type SweepConfigs, type SweepGrid } from "./sweep-grid.js";

/** What a sweep came to. */
export interface SweepHistory {
  readonly sweep: SweepConfigs;
  /** In the order in which they were made. */
  readonly extensions: readonly Extension[];
}

/**
 * What a tuning tries, told by the best configuration among those tried so far: the grid, and as long as the best rate of
 * the baseline or of the idea lies at an end and the rule allows it, the same with further rates.
 *
 * @param bestOf the best of an arm's configurations; undefined where it is not known, which ends the tuning
 */
export function sweepHistory(
  grid: SweepGrid,
  mostExtensions: number,
  bestOf: (arm: "baseline" | "idea", tried: readonly Config[]) => Config | undefined,
): SweepHistory {
  const extensions: Extension[] = [];
  for (let sweep = sweepConfigs(grid); ;) {
    const next = extensions.length < mostExtensions ? nextExtension(sweep, bestOf) : undefined;
    if (next === undefined) return { sweep, extensions };
    extensions.push(next);
    sweep = widenedConfigs(sweep, { rates: next.rates, options: grid.options });
  }
}

function nextExtension(
  sweep: SweepConfigs,
  bestOf: Parameters<typeof sweepHistory>[2],
): Extension | undefined {
  const [baseline, idea] = decidingArms.map((arm) =>
    bestOf(arm, arm === "baseline" ? sweep.baseline : sweep.changed),
  );
  return baseline && idea && extensionOf(sweep, { baseline, idea });
}
