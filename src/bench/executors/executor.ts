import { GradstandError } from "../../errors/index.js";
import type { EpochEvent, Task, TaskResult } from "./task.js";

/** Called while a task is under way. */
export interface TaskHooks {
  /** The task has its place and begins; told where {@link Executor.secondsWaited} is there (see {@link runTold}). */
  readonly onBegin?: () => void;
  readonly onEpoch?: (event: EpochEvent) => void;
  /** The worker died and the task is tried once more. */
  readonly onRetry?: (reason: string) => void;
  /** The task waits, with others, until somebody else lets it begin; told when what they wait for changes. */
  readonly onWaiting?: (reason: string) => void;
}

/** What one task may use; no limit where a field is absent. */
export interface CellLimits {
  /**
   * Seconds from its hand-over. A worker thread is stopped there, whatever it is doing; in this thread a task is stopped at
   * the end of the epoch.
   */
  readonly timeout?: number;
  /**
   * MiB. A worker thread whose JavaScript heap would grow beyond it is stopped; buffers beside the heap are weighed after
   * each epoch, in this thread too, as they are then: garbage counts, the kernels' linear memory, which is of one size, does
   * not.
   */
  readonly memory?: number;
}

/** Where tasks are done. Results depend on the task alone, never on the executor, its size or the order. */
export interface Executor {
  readonly name: "inline" | "threads" | "process" | "slurm" | "bullmq";
  /** Tasks that may usefully run at the same time. */
  readonly workers: number;
  /** Whether tasks stand in a queue of others', so that how many of `workers` really run is not known. */
  readonly queued?: boolean;
  /**
   * Only where tasks wait for places that other runs have: the seconds so far in which tasks of this one waited and none was under
   * way.
   */
  readonly secondsWaited?: () => number;
  /**
   * @throws E_CELL naming the task when it fails; E_TIMEOUT when it takes longer than it may, E_CRASH when its worker dies or it
   *   holds more memory than it may: these two say nothing of what it computes
   * @throws E_INTERRUPTED when the executor is closed before the task is done
   */
  run<T extends Task>(task: T, hooks?: TaskHooks): Promise<TaskResult<T>>;
  /** Begins to make ready what so many tasks at the same time need, where that takes a while; nothing waits for it. */
  readonly warm?: (tasks: number) => void;
  /** Stops at once; running tasks are rejected. */
  close(): Promise<void>;
}

/** Has a task done; `onBegin` is told by any executor, at once where tasks do not wait for places that other runs have. */
export function runTold<T extends Task>(
  executor: Executor,
  task: T,
  hooks: TaskHooks,
): Promise<TaskResult<T>> {
  if (executor.secondsWaited === undefined) hooks.onBegin?.();
  return executor.run(task, hooks);
}

/** The error of a task whose executor was closed. */
export function interrupted(): GradstandError {
  return new GradstandError("E_INTERRUPTED", "the run was stopped before this task was done");
}
