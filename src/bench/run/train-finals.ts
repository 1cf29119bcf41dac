import { evidencePath, looksOf } from "../sequential/index.js";
import { finalCells, plannedCell, type Plan } from "./plan.js";
import type { ProgressTracker } from "./progress-tracker.js";
import type { Training } from "./training.js";
import type { TunedArm } from "./tune.js";

/**
 * Trains the best configuration of every arm on the final seeds, and gives those seeds: all of them, or with a sequential
 * plan as many as it takes until the evidence reaches its threshold, a model diverges or has no value, or the declared number is reached.
 */
export async function trainFinals(
  plan: Plan,
  tuned: readonly TunedArm[],
  training: Training,
  tracker: ProgressTracker,
): Promise<readonly number[]> {
  const { seeds, sequential, alpha } = plan.protocol;
  const train = (some: readonly number[]): Promise<void> =>
    training.trainFinal(tuned.flatMap(({ arm, best }) => finalCells(plan, arm, best, some)));
  if (sequential === undefined) {
    await train(seeds);
    return seeds;
  }
  const metric = (name: "baseline" | "idea", seed: number): number => {
    const { arm, best } = tuned.find((one) => one.arm.name === name)!;
    return training.metric(plannedCell(plan, arm, best, seed, "test"));
  };
  const evaluated = plan.controls.filter(({ kind }) => kind === "evaluated").length;
  let before = sequential.start;
  for (const pairs of looksOf(sequential)) {
    tracker.expectMeasuring((pairs - before) * (1 + evaluated));
    before = pairs;
    const some = seeds.slice(0, pairs);
    await train(some);
    const diffs = some.map((seed) => metric("idea", seed) - metric("baseline", seed));
    if (evidencePath(diffs, sequential, alpha).stopped !== "open") return some;
  }
  return seeds;
}
