import { workThrough } from "../run/work-through.js";
import type { Executor } from "../executors/index.js";
import type { Arm, IdeaReference, TrainSpec } from "../cells/spec.js";
import type { CellSettings } from "./protocol.js";

/** Trains cells for the calibration, each of them afresh: nothing is taken from a store or kept in one. */
export interface Bench {
  readonly executor: Executor;
  /** Called after every cell. */
  readonly onCell: () => void;
}

/** One cell: the settings, its seed, and the idea if there is one. */
export interface Trial {
  readonly settings: CellSettings;
  readonly seed: number;
  readonly idea?: IdeaReference;
}

/** The test metric of each trial, in their order; infinite where the cell diverged. */
export function metrics({ executor, onCell }: Bench, trials: readonly Trial[]): Promise<number[]> {
  const train = async (trial: Trial): Promise<number> => {
    const { result } = await executor.run({ kind: "train", spec: specOf(trial) });
    onCell();
    return result.metric;
  };
  return workThrough(trials, executor.workers, train, () => void executor.close());
}

/** The metrics of two arms that share their seeds. */
export async function pairedArms(
  bench: Bench,
  first: number,
  seeds: number,
  baseline: Omit<Trial, "seed">,
  idea: Omit<Trial, "seed">,
): Promise<{ readonly baseline: number[]; readonly idea: number[] }> {
  const trials = Array.from({ length: seeds }, (_, at) => [
    { ...baseline, seed: first + at },
    { ...idea, seed: first + at },
  ]).flat();
  const values = await metrics(bench, trials);
  return {
    baseline: values.filter((_, at) => at % 2 === 0),
    idea: values.filter((_, at) => at % 2 === 1),
  };
}

function specOf({ settings: { lr, ...sizes }, seed, idea }: Trial): TrainSpec {
  const arm: Arm = idea === undefined ? "baseline" : "idea";
  return {
    kind: "train",
    track: "dynamics",
    model: "rnn_small",
    arm,
    cfg: { lr },
    seed,
    ...sizes,
    validationSize: 0,
    evaluate: "test",
    batchSize: 32,
    optimizer: "adam",
    idea: idea ?? null,
  };
}
