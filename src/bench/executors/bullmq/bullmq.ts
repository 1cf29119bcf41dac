import { setTimeout as pause } from "node:timers/promises";
import { interrupted, type CellLimits, type Executor, type TaskHooks } from "../executor.js";
import { requireLimits } from "../limits.js";
import { taskId } from "../remote-task.js";
import { resultOf, type Reply } from "../reply.js";
import { crashed } from "../task-failure.js";
import type { CellTask, Task, TaskResult } from "../task.js";
import { requireWorkers } from "../threads.js";
import { CellQueue } from "./cell-queue.js";
import { requireRedisUrl, shownUrl } from "./connection.js";
import { loadQueueLibrary } from "./library.js";

/** Settings of the executor on a queue. */
export interface BullmqSettings {
  /** The URL of the Redis. */
  readonly redis: string;
  /** Does what is no training cell: it takes seconds. It is closed with this one. */
  readonly local: Executor;
  /** Cells that are in the queue at the same time at most; 1000 when absent. */
  readonly jobs?: number;
  readonly limits?: CellLimits;
  /** Seconds that Redis may be away before the run ends; 120 when absent. */
  readonly patience?: number;
  /** Told what a person at a terminal may have to act on: nobody works, the connection is lost. */
  readonly onNotice?: (text: string) => void;
}

/** Tasks in the queue at the same time at most. */
const MOST_AT_ONCE = 1000;

/** Milliseconds between two looks for answers: most are told of before. */
const LOOK = 2000;

/** Looks between two questions how the jobs stand. */
const ASK_EVERY = 5;

/** A task that waits for its answer. */
interface Waiting {
  readonly id: string;
  readonly task: CellTask;
  readonly hooks: TaskHooks;
  readonly answered: (reply: Reply) => void;
  readonly failed: (error: unknown) => void;
  handedIn: boolean;
}

/**
 * Has cells trained by `gradstand bench worker` on any machine, through a queue of BullMQ on a Redis. Delivery is at least once: an
 * answer lies in Redis under the hash of its task and is written once, so that a task that was done twice does no harm, and a
 * run whose process was killed finds its answers when it is resumed. A worker that is lost gives its job to another, once. What
 * Redis forgets is handed in again.
 *
 * Closing it takes the jobs that no worker has out of the queue. What a worker has under way it finishes, and its answer waits.
 *
 * @throws E_VALUE for a URL, a number of jobs or a limit that is none
 * @throws E_REDIS without the packages bullmq and ioredis; by `run`, when Redis cannot be reached, refuses, or is away for long
 * @throws E_TIMEOUT, E_CRASH, by `run`, as for the executor of threads
 */
export function bullmqExecutor(settings: BullmqSettings): Executor {
  const { local, patience = 120, onNotice = () => undefined } = settings;
  const workers = requireWorkers(settings.jobs ?? MOST_AT_ONCE);
  const limits = requireLimits(settings.limits);
  const url = requireRedisUrl(settings.redis);
  const library = loadQueueLibrary();
  const waiting = new Map<string, Waiting>();
  const asked = new Map<string, Promise<Reply>>();
  const beginning = new Set<Promise<void>>();
  const delivered = new Set<string>();
  let opened: Promise<CellQueue> | undefined;
  let watching = false;
  let closing: Promise<void> | undefined;

  const open = (): Promise<CellQueue> =>
    (opened ??= CellQueue.open(library, url, {
      onEpoch: (id, event) => waiting.get(id)?.hooks.onEpoch?.(event),
      onStalled: (id) =>
        waiting.get(id)?.hooks.onRetry?.("its worker was lost, or lost Redis; it waits for another worker"),
      onEnded: (id) => {
        const one = waiting.get(id);
        // What goes wrong here comes again at the next look.
        if (one !== undefined) void open().then((queue) => settle(queue, one).catch(() => undefined));
      },
      onNotice: (text) => {
        if (closing === undefined) onNotice(text);
      },
    }));

  const end = (one: Waiting, how: () => void): void => {
    if (waiting.delete(one.id)) how();
  };

  const begin = async (one: Waiting): Promise<void> => {
    const queue = await open();
    const found = (await queue.answers([one.id])).get(one.id);
    if (found?.ok) return take(queue, one, found);
    // What failed in an earlier run is tried again.
    if (found !== undefined) await queue.forget([one.id]);
    if (closing !== undefined) return;
    await queue.handIn(one.id, one.task, limits);
    one.handedIn = true;
    if (!watching) {
      watching = true;
      void watch(queue);
    }
  };

  const take = (queue: CellQueue, one: Waiting, reply: Reply): void => {
    // What failed is not kept: it may go well the next time.
    if (reply.ok) delivered.add(one.id);
    else void queue.forget([one.id]).catch(() => undefined);
    end(one, () => one.answered(reply));
  };

  const takeAnswers = async (queue: CellQueue, ones: readonly Waiting[]): Promise<void> => {
    const found = await queue.answers(ones.map(({ id }) => id));
    for (const one of ones) {
      const reply = found.get(one.id);
      if (reply !== undefined) take(queue, one, reply);
    }
  };

  /** Takes the answer of a task, or sees what became of its job, and gives that. */
  const settle = async (queue: CellQueue, one: Waiting): Promise<string> => {
    // In this order: an answer is there before its job is gone.
    const state = await queue.state(one.id);
    await takeAnswers(queue, [one]);
    if (state !== "failed" || !waiting.has(one.id)) return state;
    const reason = await queue.failedReason(one.id);
    await queue.withdraw([one.id]);
    end(one, () => one.failed(crashed(one.task, lostText(reason))));
    return state;
  };

  /** Looks for answers, and now and then for jobs that are gone, as long as anything waits. */
  const watch = async (queue: CellQueue): Promise<void> => {
    let silent = 0;
    // Counted in steps: a machine that slept has not waited.
    const watchdog = setInterval(() => {
      silent += 1;
      if (silent <= patience) return;
      for (const one of [...waiting.values()]) end(one, () => one.failed(queue.trouble()));
    }, 1000).unref();
    const tell = workerNotices(queue, onNotice);
    for (let look = 1; waiting.size > 0 && closing === undefined; look++) {
      // Nothing waits for a look that nobody needs any more.
      await pause(LOOK, undefined, { ref: false });
      const ones = [...waiting.values()].filter(({ handedIn }) => handedIn);
      try {
        await takeAnswers(queue, ones);
        if (look === 1 || look % ASK_EVERY === 0) {
          await tell();
          await lookForLost(
            queue,
            ones.filter(({ id }) => waiting.has(id)),
          );
        }
        silent = 0;
      } catch {
        // The watchdog counts.
      }
    }
    clearInterval(watchdog);
    watching = false;
  };

  const lookForLost = async (queue: CellQueue, ones: readonly Waiting[]): Promise<void> => {
    const states = await Promise.all(ones.map((one) => settle(queue, one)));
    const gone = ones.filter((one, at) => states[at] === "unknown" && waiting.has(one.id));
    if (gone.length === 0 || closing !== undefined) return;
    onNotice(
      `Redis has lost ${gone.length} ${gone.length === 1 ? "cell" : "cells"} of the queue; handed in again`,
    );
    await Promise.all(gone.map(({ id, task }) => queue.handIn(id, task, limits)));
  };

  const train = (task: CellTask, hooks: TaskHooks): Promise<Reply> =>
    new Promise<Reply>((answered, failed) => {
      const one: Waiting = { id: taskId(task), task, hooks, answered, failed, handedIn: false };
      waiting.set(one.id, one);
      const begun = begin(one).catch((error: unknown) => end(one, () => failed(error)));
      beginning.add(begun);
      void begun.then(() => beginning.delete(begun));
    });

  const close = async (): Promise<void> => {
    const left = [...waiting.values()];
    for (const one of left) end(one, () => one.failed(interrupted()));
    const queue = await opened?.catch(() => undefined);
    await queue?.close(async () => {
      await Promise.all(beginning);
      await queue.withdraw(left.map(({ id }) => id));
      await queue.forget([...delivered]);
    });
    await local.close();
  };

  return {
    name: "bullmq",
    workers,
    queued: true,
    async run<T extends Task>(task: T, hooks: TaskHooks = {}): Promise<TaskResult<T>> {
      if (closing !== undefined) throw interrupted();
      if (task.kind !== "train") return local.run(task, hooks);
      const id = taskId(task);
      const answer = asked.get(id) ?? train(task, hooks);
      asked.set(id, answer);
      return resultOf(await answer.finally(() => asked.delete(id))) as TaskResult<T>;
    },
    close: () => (closing ??= close()),
  };
}

/** Why a job failed whose processor never throws for what a cell does. */
function lostText(reason = "its job failed without a reason"): string {
  return /stalled more than/.test(reason)
    ? "two workers that had it were lost, or lost Redis, before they answered"
    : `its worker could not answer: ${reason}`;
}

/** Tells, once each time, that nobody works for a queue. */
function workerNotices(queue: CellQueue, onNotice: (text: string) => void): () => Promise<void> {
  let told = false;
  return async () => {
    const workers = await queue.workers();
    if (workers === undefined || workers.own > 0) {
      told = false;
      return;
    }
    if (!told) onNotice(noWorkerText(queue, workers.others));
    told = true;
  };
}

function noWorkerText({ name, url }: CellQueue, others: number): string {
  const strangers =
    others === 0
      ? ""
      : `; ${others} ${others === 1 ? "worker has" : "workers have"} another version of gradstand and ${others === 1 ? "takes" : "take"} nothing from it`;
  return `no worker is connected to the queue ${name} at ${shownUrl(url)}${strangers}. Start one, on any machine: npx gradstand bench worker`;
}
