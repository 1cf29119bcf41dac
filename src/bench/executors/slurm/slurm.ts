import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fail, GradstandError } from "../../../errors/index.js";
import { packageRoot } from "../../package-place.js";
import { interrupted, type CellLimits, type Executor, type TaskHooks } from "../executor.js";
import { requireLimits, timedOut } from "../limits.js";
import { taskId } from "../remote-task.js";
import { resultOf, type Reply } from "../reply.js";
import { crashed } from "../task-failure.js";
import type { CellTask, Task, TaskResult } from "../task.js";
import type { Batch } from "./array-task.js";
import { cancel, endOf, stillQueued, submit, type Queued } from "./commands.js";
import { neverBegins, waitingLine } from "./pending.js";
import { replace, Spool, type Assignment } from "./spool.js";

/** Settings of the Slurm executor. */
export interface SlurmSettings {
  /** A folder that this machine and the nodes share, for tasks and their answers. */
  readonly folder: string;
  /** Does what is no training cell: it takes seconds, and a job waits for longer. It is closed with this one. */
  readonly local: Executor;
  /** More words for sbatch, such as `--partition=short`. */
  readonly sbatch?: readonly string[];
  /** Cells that an array task computes one after the other; 1 when absent. */
  readonly chunk?: number;
  /** Array tasks of a job that run at the same time at most; as many as the cluster lets when absent. */
  readonly jobs?: number;
  readonly limits?: CellLimits;
  /** Seconds between two looks for answers, 2 when absent; the queue is asked at every fifth. */
  readonly poll?: number;
}

/** Cells that are handed in at the same time at most: Slurm's usual MaxArraySize is 1001. */
const MOST_AT_ONCE = 1000;

/** How often a task is handed in when its job ends without an answer. */
const ATTEMPTS = 2;

/**
 * Looks for an answer that may still be on its way over a shared file system, once the queue no longer has a job; and looks at a job
 * that cannot begin, which may be about to be changed.
 */
const GRACE = 3;

/** Looks between two questions to the queue. */
const ASK_EVERY = 5;

/** So many questions in a row that the queue does not answer end the run. */
const MOST_UNANSWERED = 30;

/** A task that waits for its answer. */
interface Waiting {
  readonly id: string;
  readonly task: CellTask;
  readonly hooks: TaskHooks;
  readonly answered: (reply: Reply) => void;
  readonly failed: (error: unknown) => void;
  attempts: number;
  assignment?: Assignment;
  /** Looks since the queue no longer had its job. */
  missed: number;
  /** Looks in a row at which its job stood in the queue and could not begin by waiting. */
  stuck: number;
}

/**
 * Trains cells as array jobs of a Slurm cluster, through sbatch, squeue and, where there is one, sacct. What is asked for in one turn
 * goes into one job. Delivery is at least once: an answer has the hash of its task for a name and is written once, so that a
 * task that was done twice does no harm, and a run whose process was killed finds its answers, and its jobs that still run,
 * when it is resumed. A task whose job ends without an answer is handed in once more. What jobs wait for beside their turn is told as it changes;
 * one that is held, or asks for what it cannot get, ends the run.
 *
 * Closing it asks Slurm to cancel what still waits or runs.
 *
 * @throws E_VALUE for a chunk, a number of jobs or a limit that is none
 * @throws E_SLURM, by `run`, when there is no sbatch, it refuses a job, squeue does not answer for long, or a job cannot begin by waiting
 * @throws E_TIMEOUT, E_CRASH, by `run`, as for the executor of threads
 */
export function slurmExecutor(settings: SlurmSettings): Executor {
  const { local, chunk = 1, jobs, sbatch = [], poll = 2 } = settings;
  for (const [name, value] of Object.entries({ chunk, jobs: jobs ?? 1 })) {
    if (!Number.isSafeInteger(value) || value < 1)
      fail("E_VALUE", `the ${name} of the Slurm executor must be a positive whole number; found ${value}`);
  }
  const limits = requireLimits(settings.limits);
  const script = arrayScript();
  const spool = new Spool(path.resolve(settings.folder));
  const waiting = new Map<string, Waiting>();
  const delivered = new Set<string>();
  const asked = new Map<string, Promise<Reply>>();
  let fresh: Waiting[] = [];
  let closed = false;
  let watching = false;
  let told = "";
  const batches: string[] = [];

  /** One array job of all that was asked for since the last one. */
  const handIn = async (): Promise<void> => {
    const tasks = fresh;
    fresh = [];
    const chunks: Waiting[][] = [];
    for (let at = 0; at < tasks.length; at += chunk) chunks.push(tasks.slice(at, at + chunk));
    const name = path.join(spool.folder, `batch-${Date.now()}-${process.pid}-${batches.length}`);
    batches.push(name);
    const batch: Batch = { spool: spool.folder, chunks: chunks.map((some) => some.map(({ id }) => id)) };
    try {
      for (const { id, task } of tasks) spool.putTask(id, task, limits);
      replace(`${name}.json`, JSON.stringify(batch));
      replace(
        `${name}.sh`,
        `#!/bin/sh\nexec ${[process.execPath, script, `${name}.json`].map(quoted).join(" ")} "$SLURM_ARRAY_TASK_ID"\n`,
      );
      const job = await submit(`${name}.sh`, [
        "--job-name=gradstand",
        `--array=0-${chunks.length - 1}${jobs === undefined ? "" : `%${jobs}`}`,
        `--chdir=${process.cwd()}`,
        `--output=${path.join(spool.folder, "log", "%A_%a.out")}`,
        ...(limits.timeout === undefined ? [] : [`--time=${minutesFor(limits.timeout * chunk)}`]),
        ...sbatch,
      ]);
      chunks.forEach((some, index) => {
        for (const one of some) {
          one.assignment = { job, index };
          one.missed = 0;
          spool.assign(one.id, one.assignment);
        }
      });
      if (closed) cancel([job]);
    } catch (error) {
      for (const one of tasks) end(one, () => one.failed(error));
    }
  };

  const end = (one: Waiting, how: () => void): void => {
    if (waiting.delete(one.id)) how();
  };

  /** Looks for answers, and now and then for jobs that have gone, as long as anything waits. */
  const watch = async (): Promise<void> => {
    let unanswered = 0;
    for (let look = 1; waiting.size > 0 && !closed; look++) {
      for (const one of [...waiting.values()]) takeAnswer(one);
      const assigned = [...waiting.values()].filter(({ assignment }) => assignment !== undefined);
      if (look % ASK_EVERY === 0 && assigned.length > 0) {
        try {
          await lookForLost(assigned);
          unanswered = 0;
        } catch (error) {
          unanswered += 1;
          if (unanswered >= MOST_UNANSWERED) for (const one of assigned) end(one, () => one.failed(error));
        }
      }
      await pause(poll * 1000);
    }
    watching = false;
  };

  const takeAnswer = (one: Waiting): boolean => {
    const reply = spool.reply(one.id);
    if (reply === undefined) return false;
    // What failed is not kept: it may go well the next time.
    if (reply.ok) delivered.add(one.id);
    else spool.forget(one.id);
    end(one, () => one.answered(reply));
    return true;
  };

  const lookForLost = async (assigned: readonly Waiting[]): Promise<void> => {
    const queued = await stillQueued([...new Set(assigned.map(({ assignment }) => assignment!.job))]);
    const line = waitingLine(queued.values());
    if (line !== told && line !== "") assigned[0]!.hooks.onWaiting?.(line);
    told = line;
    endStuck(assigned, queued);
    const gone = assigned.filter((one) => {
      if (!waiting.has(one.id)) return false;
      const { job, index } = one.assignment!;
      one.missed = queued.has(`${job}_${index}`) ? 0 : one.missed + 1;
      return one.missed >= GRACE && !takeAnswer(one);
    });
    const states = await Promise.all(gone.map(({ assignment }) => endOf(assignment!)));
    // All of them in one turn, so that they are handed in again as one job.
    gone.forEach((one, at) => lost(one, states[at]));
  };

  /** Ends tasks whose jobs stand in the queue and cannot begin by waiting; a resumed run hands them in anew. */
  const endStuck = (assigned: readonly Waiting[], queued: ReadonlyMap<string, Queued>): void => {
    const stuck = assigned.flatMap((one) => {
      const name = `${one.assignment!.job}_${one.assignment!.index}`;
      const state = queued.get(name);
      const why = state && neverBegins(state);
      one.stuck = why === undefined ? 0 : one.stuck + 1;
      return one.stuck >= GRACE ? [{ one, name, why }] : [];
    });
    cancel([...new Set(stuck.map(({ name }) => name))]);
    for (const { one, name, why } of stuck) {
      spool.forget(one.id);
      end(one, () => one.failed(new GradstandError("E_SLURM", `Slurm's job ${name} will not begin: ${why}`)));
    }
  };

  /** A job has ended without an answer. */
  const lost = (one: Waiting, state: string | undefined): void => {
    const { job, index } = one.assignment!;
    if (takeAnswer(one)) return;
    one.assignment = undefined;
    if (state === "TIMEOUT" && limits.timeout !== undefined) {
      spool.forget(one.id);
      return end(one, () => one.failed(timedOut(one.task, limits.timeout!)));
    }
    const reason = `its Slurm job ${job}_${index} ended${state === undefined ? "" : ` as ${state}`} without an answer; see ${path.join(spool.folder, "log", `${job}_${index}.out`)}`;
    if (one.attempts < ATTEMPTS) {
      one.attempts += 1;
      one.hooks.onRetry?.(reason);
      return add(one);
    }
    spool.forget(one.id);
    end(one, () =>
      one.failed(crashed(one.task, `it was handed in ${ATTEMPTS} times; the last time ${reason}`)),
    );
  };

  const add = (one: Waiting): void => {
    fresh.push(one);
    // Everything that is asked for in the same turn goes into the same job.
    if (fresh.length === 1) setTimeout(() => void handIn(), 0);
  };

  const train = (task: CellTask, hooks: TaskHooks): Promise<Reply> =>
    new Promise<Reply>((answered, failed) => {
      const one: Waiting = {
        id: taskId(task),
        task,
        hooks,
        answered,
        failed,
        attempts: 1,
        missed: 0,
        stuck: 0,
      };
      waiting.set(one.id, one);
      // What failed in an earlier run is tried again.
      if (spool.reply(one.id)?.ok === false) spool.forget(one.id);
      if (!takeAnswer(one)) {
        // A run that was killed may have a job for it: the queue tells whether that is still there.
        one.assignment = spool.assignment(one.id);
        if (one.assignment === undefined) add(one);
      }
      if (!watching) {
        watching = true;
        void watch();
      }
    });

  return {
    name: "slurm",
    workers: MOST_AT_ONCE,
    queued: true,
    async run<T extends Task>(task: T, hooks: TaskHooks = {}): Promise<TaskResult<T>> {
      if (closed) throw interrupted();
      if (task.kind !== "train") return local.run(task, hooks);
      const id = taskId(task);
      const answer = asked.get(id) ?? train(task, hooks);
      asked.set(id, answer);
      return resultOf(await answer.finally(() => asked.delete(id))) as TaskResult<T>;
    },
    async close(): Promise<void> {
      if (closed) return;
      closed = true;
      cancel([...new Set([...waiting.values()].flatMap(({ assignment }) => assignment?.job ?? []))]);
      for (const one of [...waiting.values()]) end(one, () => one.failed(interrupted()));
      for (const id of delivered) spool.forget(id);
      for (const name of batches)
        for (const ending of [".json", ".sh"]) fs.rmSync(name + ending, { force: true });
      await local.close();
    },
  };
}

/** Slurm counts in minutes; a process takes a while to start. */
const minutesFor = (seconds: number): number => Math.ceil(seconds / 60) + 1;

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The compiled program of an array task. Throws `E_INTERNAL` when it has not been compiled. */
function arrayScript(): string {
  const file = path.join(packageRoot(), "dist/bench/executors/slurm/array-task.js");
  if (!fs.existsSync(file))
    fail("E_INTERNAL", "jobs of Slurm need the compiled package; run `npm run build` first");
  return file;
}
