import type { Arm } from "../cells/spec.js";
import type { Config, Extension, SweepRow } from "../record.js";
import { extensionOf, widenedConfigs, type SweepConfigs } from "../tuning/index.js";
import { configsOf, sweepCells, type Plan, type PlannedArm, type PlannedCell } from "./plan.js";
import { bestRow, sweepRows, type MetricOf } from "./selection.js";

/** What tuning found for one arm. */
export interface TunedArm {
  readonly arm: PlannedArm;
  readonly sweep: readonly SweepRow[];
  readonly best: Config;
}

/** What tuning found. */
export interface Tuned {
  readonly arms: readonly TunedArm[];
  readonly extensions: readonly Extension[];
}

/**
 * Tunes every arm: trains the sweep, ranks each arm's configurations by their mean over its sweep seeds, and as long as
 * the best rate of the baseline or of the idea lies at an end of the grid, and the protocol allows it, extends the grid
 * of every arm alike and trains what is new.
 *
 * @param train computes cells; those that it has computed before come at no cost
 * @param metricOf the metric of such a cell
 */
export async function tune(
  plan: Plan,
  train: (cells: readonly PlannedCell[]) => Promise<void>,
  metricOf: (arm: PlannedArm) => MetricOf,
): Promise<Tuned> {
  const extensions: Extension[] = [];
  for (let sweep = plan.sweep; ;) {
    await train(sweepCells(plan, sweep));
    const arms = plan.arms.map((arm) => tunedArm(plan, arm, sweep, metricOf(arm)));
    const best = (name: Arm): Config => arms.find(({ arm }) => arm.name === name)!.best;
    const extension =
      extensions.length < plan.protocol.mostExtensions
        ? extensionOf(sweep, { baseline: best("baseline"), idea: best("idea") })
        : undefined;
    if (extension === undefined) return { arms, extensions };
    extensions.push(extension);
    sweep = widenedConfigs(sweep, { rates: extension.rates, options: plan.protocol.gridOptions });
  }
}

function tunedArm(plan: Plan, arm: PlannedArm, sweep: SweepConfigs, metric: MetricOf): TunedArm {
  const rows = sweepRows(configsOf(arm, sweep), arm.sweepSeeds, metric);
  return { arm, sweep: rows, best: bestRow(rows, arm.sweepSeeds, plan.track.direction).cfg };
}
