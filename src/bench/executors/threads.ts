import os from "node:os";
import { fail } from "../../errors/index.js";
import { kernels } from "../../tensor/index.js";
import type { CellLimits, Executor } from "./executor.js";
import { requireLimits } from "./limits.js";
import { taskFiles } from "./task-files.js";
import { ThreadPool } from "./thread-pool.js";

/** Settings of the thread executor. */
export interface ThreadSettings {
  /** Worker threads; one a core by default. */
  readonly workers?: number;
  /** The module that they run. */
  readonly script?: string;
  readonly limits?: CellLimits;
}

/**
 * Does tasks in worker threads (see {@link ThreadPool}), which load the files of users that a task needs, and use the set of
 * kernels that this thread uses.
 *
 * @throws E_VALUE when the number of workers is not a positive whole number, or a limit not a positive number
 * @throws E_INTERNAL when the worker module is not compiled
 */
export function threadExecutor(settings: ThreadSettings = {}): Executor {
  const workers = requireWorkers(settings.workers ?? os.availableParallelism());
  const { timeout, memory } = requireLimits(settings.limits);
  const pool = new ThreadPool({ workers, memory, script: settings.script });
  return {
    name: "threads",
    workers,
    run: (task, hooks) => pool.run(task, { kernels: kernels().name, files: taskFiles(task), timeout }, hooks),
    warm: (tasks) => pool.warm(tasks),
    close: () => pool.close(),
  };
}

/** Gives a number of threads back. Throws `E_VALUE` when it is not a positive whole number. */
export function requireWorkers(workers: number): number {
  if (!Number.isSafeInteger(workers) || workers < 1)
    fail("E_VALUE", `the number of jobs must be a positive whole number; found ${workers}`);
  return workers;
}
