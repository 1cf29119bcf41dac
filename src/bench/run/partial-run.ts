import { canonicalJson } from "../cells/canonical.js";
import type { CellSpec, TrainSpec } from "../cells/spec.js";
import type { Executor, Task, TaskResult } from "../executors/index.js";
import type { Json } from "../../ideas/index.js";
import type { RunRecord } from "../record.js";
import type { CellStore, KeyedCell } from "../store/index.js";
import { configsOf, sweepCells, type Plan } from "./plan.js";
import { runPlan } from "./run-plan.js";

/** How far the tuning of a run is, for one configuration of one arm. */
export interface TuningProgress {
  readonly arm: string;
  readonly cfg: Readonly<Record<string, number>>;
  /** Tuning seeds whose cells are stored, of `planned`. */
  readonly stored: number;
  readonly planned: number;
}

/** What can be said of a run before it has ended. */
export type PartialRun =
  | { readonly kind: "record"; readonly record: RunRecord; readonly seeds: number; readonly planned: number }
  | { readonly kind: "tuning"; readonly tuning: readonly TuningProgress[] };

/** A training cell that is not stored. */
class MissingCell extends Error {
  constructor(readonly spec: TrainSpec) {
    super("a cell is not stored");
  }
}

/**
 * The record of a run from what is stored at this moment: that of the plan with the final seeds whose cells are there in every
 * arm, marked with how many were planned. Nothing is trained and nothing is stored; identities, floors and mechanisms
 * are computed again. As long as the tuning is not complete, or no seed is, there is no record but only how far it is.
 *
 * @param executor stays open
 * @throws what `runPlan` throws, but for training
 */
export async function partialRun(plan: Plan, store: CellStore, executor: Executor): Promise<PartialRun> {
  const planned = plan.protocol.seeds.length;
  const readOnly = readOnlyStore(store);
  const computed = withoutTraining(executor);
  for (let seeds = plan.protocol.seeds; seeds.length > 0;) {
    try {
      const record = await runPlan(withSeeds(plan, seeds), { store: readOnly, executor: computed });
      const marked = seeds.length < planned ? { plannedSeeds: planned } : {};
      return {
        kind: "record",
        record: { ...record, protocol: { ...record.protocol, ...marked } },
        seeds: seeds.length,
        planned,
      };
    } catch (error) {
      if (!(error instanceof MissingCell)) throw error;
      if (error.spec.evaluate === "validation") break;
      seeds = seeds.filter((seed) => seed !== error.spec.seed);
    }
  }
  return { kind: "tuning", tuning: tuningProgress(plan, readOnly) };
}

/** The plan with some of its final seeds; where these tune as well, with those for tuning. */
function withSeeds(plan: Plan, seeds: readonly number[]): Plan {
  const { protocol } = plan;
  if (protocol.selection === "validation") return { ...plan, protocol: { ...protocol, seeds } };
  const kept = (all: readonly number[]): readonly number[] => all.filter((seed) => seeds.includes(seed));
  const { baseline, idea } = protocol.sweepSeeds;
  return {
    ...plan,
    protocol: { ...protocol, seeds, sweepSeeds: { baseline: kept(baseline), idea: kept(idea) } },
    arms: plan.arms.map((arm) => ({ ...arm, sweepSeeds: kept(arm.sweepSeeds) })),
  };
}

function readOnlyStore(store: CellStore): CellStore {
  return {
    location: store.location,
    read: <Spec extends CellSpec>(cell: KeyedCell<Spec>) => store.read(cell),
    write: (_cell, outcome) => outcome,
  };
}

/** Does everything but training, each task once; closing it leaves the executor open. */
function withoutTraining(executor: Executor): Executor {
  const results = new Map<string, Promise<TaskResult>>();
  return {
    name: executor.name,
    workers: executor.workers,
    run: async <T extends Task>(task: T): Promise<TaskResult<T>> => {
      if (task.kind === "train") throw new MissingCell(task.spec);
      const key = canonicalJson(task as unknown as Json);
      const result = results.get(key) ?? executor.run<Task>(task);
      results.set(key, result);
      return (await result) as TaskResult<T>;
    },
    close: async () => undefined,
  };
}

function tuningProgress(plan: Plan, store: CellStore): readonly TuningProgress[] {
  const cells = sweepCells(plan, plan.sweep);
  return plan.arms.flatMap((arm) =>
    configsOf(arm, plan.sweep).map((cfg) => {
      const own = cells.filter(
        ({ spec }) => spec.arm === arm.name && canonicalJson(spec.cfg) === canonicalJson(cfg),
      );
      const stored = own.filter((cell) => store.read(cell) !== undefined).length;
      return { arm: arm.name, cfg, stored, planned: own.length };
    }),
  );
}
