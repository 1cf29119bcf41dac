import workerpool from "workerpool";
import { fail, GradstandError } from "../../errors/index.js";
import type { PluginFile } from "../plugins/plugin-file.js";
import { interrupted, type TaskHooks } from "./executor.js";
import { timedOut } from "./limits.js";
import type { Reply } from "./reply.js";
import { crashed, failureText, taskFailure } from "./task-failure.js";
import type { EpochEvent, Task, TaskResult } from "./task.js";
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

/** How a task is done in a thread. */
export interface ThreadTerms {
  /** The set of kernels. */
  readonly kernels: string;
  /** The users' files that it needs. */
  readonly files: readonly PluginFile[];
  /** Seconds that it may take. */
  readonly timeout?: number;
}

/** What a pool of worker threads is made of. */
export interface ThreadPoolSettings {
  /** Worker threads at most. */
  readonly workers: number;
  /** The module that they run. */
  readonly script?: string;
  /** MiB that each may hold. */
  readonly memory?: number;
}

/**
 * Worker threads, one task a worker at a time. A task whose worker dies is tried once more in a new one; one that takes longer
 * than it may is not, and its worker is stopped. Throws `E_INTERNAL` when the worker module is not compiled.
 */
export class ThreadPool {
  readonly #pool: ReturnType<typeof workerpool.pool>;
  readonly #workers: number;
  readonly #memory: number | undefined;
  #closed = false;

  constructor({ workers, script = workerScript(), memory }: ThreadPoolSettings) {
    if (script === undefined)
      fail("E_INTERNAL", "worker threads need the compiled package; run `npm run build` first");
    this.#workers = workers;
    this.#memory = memory;
    this.#pool = workerpool.pool(script, {
      workerType: "thread",
      ...(memory !== undefined && {
        workerThreadOpts: { resourceLimits: { maxOldGenerationSizeMb: memory } },
      }),
      maxWorkers: workers,
      workerTerminateTimeout: GRACE,
    });
  }

  /** Starts the threads for so many tasks at the same time, as far as there are any: each would start with its first task only. */
  warm(tasks: number): void {
    // A worker answers this by itself; one that cannot start says so with its first task.
    for (let count = Math.min(tasks, this.#workers); count > 0; count--)
      this.#pool.exec("methods").catch(() => undefined);
  }

  /** Does a task. Throws as {@link Executor.run} does. */
  async run<T extends Task>(task: T, terms: ThreadTerms, hooks: TaskHooks = {}): Promise<TaskResult<T>> {
    for (let count = 1; ; count++) {
      if (this.#closed) throw interrupted();
      let reply: Reply;
      try {
        reply = await this.#attempt(task, terms, hooks);
      } catch (error) {
        if (this.#closed) throw interrupted();
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
  }

  /** Stops at once; running tasks are rejected with E_INTERRUPTED. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool.terminate(true);
  }

  async #attempt(task: Task, { kernels, files, timeout }: ThreadTerms, hooks: TaskHooks): Promise<Reply> {
    const onEpoch = hooks.onEpoch;
    let call = "";
    const on = (event: EpochEvent | CallEvent): void => {
      if ("call" in event) call = event.call;
      else if (!this.#closed) onEpoch?.(event);
    };
    const seconds = timeout ?? (task.kind === "trial" ? TRIAL_TIME : undefined);
    const answer = this.#pool.exec("work", [task, kernels, this.#memory, files], { on });
    try {
      return (await (seconds === undefined ? answer : answer.timeout(seconds * 1000))) as Reply;
    } catch (error) {
      if (error instanceof workerpool.Promise.TimeoutError && !this.#closed)
        throw timedOut(task, seconds!, call);
      throw error;
    }
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0];
}
