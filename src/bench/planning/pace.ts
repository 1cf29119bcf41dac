import type { Idea } from "../../ideas/index.js";
import { measureCell } from "../cells/measure-cell.js";
import type { TrainSpec } from "../cells/spec.js";
import { stepCount } from "../cells/spec.js";
import { runTrainingCell } from "../cells/train-cell.js";
import { configsOf, plannedCell, type Plan, type PlannedArm } from "../run/plan.js";

/** How fast this machine is with the models of one arm, in seconds. */
export interface Pace {
  /** Of one optimizer step. */
  readonly step: number;
  /** Of scoring one series. */
  readonly scored: number;
  /** Of measuring the mechanism on one series; 0 for the baseline. */
  readonly measured: number;
}

/** Optimizer steps and series that the trial takes. */
const TRIAL_STEPS = 6;
const TRIAL_SERIES = 200;

/** Times a few steps of an arm's model in this thread, after a first trial that compiles and makes the data. */
export function paceOf(plan: Plan, arm: PlannedArm): Pace {
  const ideas = new Map<string, Idea>([[plan.idea.name, plan.idea]]);
  const cfg = configsOf(arm, plan.sweep)[0];
  const { spec: planned } = plannedCell(plan, arm, cfg, 0, "test");
  const trial = (testSize: number): TrainSpec => ({
    ...planned,
    trainSize: TRIAL_STEPS * planned.batchSize,
    testSize,
    epochs: 1,
  });
  const timed = (spec: TrainSpec) => runTrainingCell(spec, ideas);
  for (const testSize of [1, TRIAL_SERIES]) timed(trial(testSize));
  const [few, many] = [timed(trial(1)), timed(trial(TRIAL_SERIES))];
  const measured =
    planned.idea === null
      ? 0
      : measureCell({ kind: "measure", trained: trial(TRIAL_SERIES) }, many.result.weights, ideas).seconds;
  return {
    step: few.seconds / TRIAL_STEPS,
    scored: Math.max(0, many.seconds - few.seconds) / TRIAL_SERIES,
    measured: measured / TRIAL_SERIES,
  };
}

/** Seconds of a training cell at a pace. */
export function trainingSeconds({ step, scored }: Pace, spec: TrainSpec): number {
  return step * stepCount(spec) + scored * (spec.testSize + spec.validationSize);
}
