import os from "node:os";
import workerpool from "workerpool";
import { fail, GradstandError } from "../../errors/index.js";
import { kernels } from "../../tensor/index.js";
import { interrupted, type CellLimits, type Executor, type TaskHooks } from "./executor.js";
import type { Reply } from "./reply.js";
import { requireLimits, timedOut } from "./limits.js";
import { crashed, failureText, taskFailure } from "./task-failure.js";
import type { EpochEvent, Task, TaskResult } from "./task.js";
import { taskFiles } from "./task-files.js";
import { workerScript } from "./worker-script.js";

/** How often a task is tried when its worker dies. */
const ATTEMPTS = 2;

/** Milliseconds that a worker gets to end by itself; it holds nothing that needs to be put away. */
const GRACE = 50;

/** Seconds that a trial of plug-ins may take where no limit is set: it computes a few steps. */
const TRIAL_TIME = 120;

/** A worker is about to call a function of a user's. */
interface CallEvent {
  readonly call: string;
}

/** Settings of the thread executor. */
export interface ThreadSettings {
  /** Worker threads; one a core by default. */
  readonly workers?: number;
  /** The module that they run. */
  readonly script?: string;
  readonly limits?: CellLimits;
}

/**
 * Does tasks in worker threads, one task a worker at a time. A task whose worker dies is tried once more in a new
 * one; one that takes longer than it may is not, and its worker is stopped. Workers load the files of users that a task
 * needs, and use the set of kernels that this thread uses.
 *
 * @throws E_VALUE when the number of workers is not a positive whole number, or a limit not a positive number
 * @throws E_INTERNAL when the worker module is not compiled
 */
export function threadExecutor(settings: ThreadSettings = {}): Executor {
  const workers = settings.workers ?? os.availableParallelism();
  if (!Number.isSafeInteger(workers) || workers < 1) {
    fail("E_VALUE", `the number of jobs must be a positive whole number; found ${workers}`);
  }
  const script = settings.script ?? workerScript();
  if (script === undefined)
    fail("E_INTERNAL", "worker threads need the compiled package; run `npm run build` first");
  const { timeout, memory } = requireLimits(settings.limits);
  const pool = workerpool.pool(script, {
    workerType: "thread",
    ...(memory !== undefined && { workerThreadOpts: { resourceLimits: { maxOldGenerationSizeMb: memory } } }),
    maxWorkers: workers,
    workerTerminateTimeout: GRACE,
  });
  let closed = false;

  const attempt = async (task: Task, hooks: TaskHooks): Promise<Reply> => {
    const onEpoch = hooks.onEpoch;
    let call = "";
    const on = (event: EpochEvent | CallEvent): void => {
      if ("call" in event) call = event.call;
      else if (!closed) onEpoch?.(event);
    };
    const seconds = timeout ?? (task.kind === "trial" ? TRIAL_TIME : undefined);
    const answer = pool.exec("work", [task, kernels().name, memory, taskFiles(task)], { on });
    try {
      return (await (seconds === undefined ? answer : answer.timeout(seconds * 1000))) as Reply;
    } catch (error) {
      if (error instanceof workerpool.Promise.TimeoutError && !closed) throw timedOut(task, seconds!, call);
      throw error;
    }
  };

  const run = async <T extends Task>(task: T, hooks: TaskHooks = {}): Promise<TaskResult<T>> => {
    for (let count = 1; ; count++) {
      if (closed) throw interrupted();
      let reply: Reply;
      try {
        reply = await attempt(task, hooks);
      } catch (error) {
        if (closed) throw interrupted();
        if (error instanceof GradstandError && error.code === "E_TIMEOUT") throw error;
        const reason = firstLine(failureText(error).message);
        if (count < ATTEMPTS) {
          hooks.onRetry?.(reason);
          continue;
        }
        throw crashed(task, `its worker died ${ATTEMPTS} times; the last time: ${reason}`, error);
      }
      if (!reply.ok) throw taskFailure(task, reply.failure);
      return reply.result as TaskResult<T>;
    }
  };

  const close = async (): Promise<void> => {
    closed = true;
    await pool.terminate(true);
  };

  return { name: "threads", workers, run, close };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0];
}
