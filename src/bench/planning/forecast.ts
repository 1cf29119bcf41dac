import type { Arm } from "../cells/spec.js";
import { configsOf, plannedCell, type Plan } from "../run/plan.js";
import { paceOf, trainingSeconds, type Pace } from "./pace.js";
import { plannedWork, type ReadableStore, type WorkShare } from "./planned-work.js";
import { smallestEffect, type SmallestEffect } from "./smallest-effect.js";

/** A share of the work with the time of one of its cells. */
export interface CostShare extends WorkShare {
  readonly secondsEach: number;
  /** Whether that is the mean of stored cells, or follows from a trial on this machine. */
  readonly from: "stored cells" | "a trial on this machine";
}

/** What a run will do, cost and be able to find. */
export interface RunForecast {
  readonly shares: readonly CostShare[];
  /** Cells in all, and those of them that are stored already. */
  readonly cells: number;
  readonly stored: number;
  readonly mostExtensionCells: number;
  readonly workers: number;
  /** Wall time of what is not stored, with so many workers. */
  readonly seconds: number;
  /** The same when every extension is made at both ends of the grid. */
  readonly mostSeconds: number;
  readonly effect: SmallestEffect;
}

/**
 * What carrying out a plan will ask for, before anything of it is computed: the cells and those that are stored, the
 * time, and the smallest effect that can be found. Where no cell of a kind is stored the time comes from a trial of some
 * steps in this thread.
 */
export function forecastRun(plan: Plan, store: ReadableStore, workers: number): RunForecast {
  const work = plannedWork(plan, store);
  const paces = new Map<Arm, Pace>();
  const pace = (name: Arm): Pace => {
    const known = paces.get(name);
    if (known !== undefined) return known;
    const made = paceOf(
      plan,
      plan.arms.find((arm) => arm.name === name)!,
    );
    paces.set(name, made);
    return made;
  };
  const shares = work.shares.map((share): CostShare => {
    const stored = storedPace(share, work.shares);
    return stored === undefined
      ? { ...share, secondsEach: trialSeconds(plan, share, pace), from: "a trial on this machine" }
      : { ...share, secondsEach: stored, from: "stored cells" };
  });
  const left = shares.reduce(
    (sum, { cells, stored, secondsEach }) => sum + (cells - stored) * secondsEach,
    0,
  );
  const tuning = shares.filter(({ phase }) => phase === "tuning");
  const meanTuning =
    tuning.reduce((sum, { secondsEach }) => sum + secondsEach, 0) / Math.max(1, tuning.length);
  return {
    shares,
    cells: shares.reduce((sum, { cells }) => sum + cells, 0),
    stored: shares.reduce((sum, { stored }) => sum + stored, 0),
    mostExtensionCells: work.mostExtensionCells,
    workers,
    seconds: left / workers,
    mostSeconds: (left + work.mostExtensionCells * meanTuning) / workers,
    effect: smallestEffect(plan, work, store),
  };
}

/** The mean time of stored cells of a kind; a training cell of the other phase serves as well. */
function storedPace(share: WorkShare, all: readonly WorkShare[]): number | undefined {
  if (share.storedSeconds !== undefined || share.phase === "mechanism") return share.storedSeconds;
  return all.find(({ arm, phase, storedSeconds }) => {
    return arm === share.arm && phase !== "mechanism" && storedSeconds !== undefined;
  })?.storedSeconds;
}

function trialSeconds(plan: Plan, { arm: name, phase }: WorkShare, pace: (arm: Arm) => Pace): number {
  const arm = plan.arms.find((one) => one.name === name)!;
  if (phase === "mechanism") return pace(name).measured * plan.protocol.testSize;
  const part = phase === "tuning" ? "validation" : "test";
  const { spec } = plannedCell(plan, arm, configsOf(arm, plan.sweep)[0], 0, part);
  return trainingSeconds(pace(name), spec);
}
