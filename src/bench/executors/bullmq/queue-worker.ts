import os from "node:os";
import { GradstandError } from "../../../errors/index.js";
import { describeTask, type EpochEvent } from "../task.js";
import { decodeTask, requireSameCode, type RemoteTask } from "../remote-task.js";
import type { Reply } from "../reply.js";
import { failureText } from "../task-failure.js";
import { ThreadPool } from "../thread-pool.js";
import { requireWorkers } from "../threads.js";
import { answerKey, putAnswer, queueName, queuePlace } from "./cell-queue.js";
import { connect, requireRedisUrl } from "./connection.js";
import { loadQueueLibrary, type QueueJob } from "./library.js";
import { within } from "./within.js";

/** A cell that a worker has done with. */
export interface DoneCell {
  /** The cell in words. */
  readonly cell: string;
  readonly seconds: number;
  /** Why it has no result. */
  readonly failed?: string;
}

/** Settings of a worker of the queue. */
export interface QueueWorkerSettings {
  /** The URL of the Redis. */
  readonly redis: string;
  /** Cells at the same time; one a core when absent. */
  readonly jobs?: number;
  /** The module that its threads run. */
  readonly script?: string;
  readonly onDone?: (cell: DoneCell) => void;
  readonly onNotice?: (text: string) => void;
}

/** A worker that takes cells. */
export interface QueueWorker {
  /** The name of its queue. */
  readonly queue: string;
  readonly jobs: number;
  /** Stops at once: cells under way go back into the queue. */
  close(): Promise<void>;
}

/** Milliseconds that a job is a worker's; it renews its lock at half of it. */
const LOCK = 20_000;

/** Milliseconds between two looks for jobs whose worker is gone. */
const STALLED = 5000;

/** Milliseconds that it may take to put cells back when Redis is away. */
const TIDY = 5000;

/** Milliseconds that connections get to end. */
const CLOSE = 1000;

/** Milliseconds between two words about the epochs of a cell. */
const EPOCHS_EVERY = 500;

/**
 * Takes cells from the queue of this version of the package, and leaves their answers. Each is computed in a worker thread of its own
 * pool, so that this thread is always free to renew the locks of its jobs. An error of a cell is an answer.
 *
 * @throws E_VALUE for a URL or a number of jobs that is none
 * @throws E_REDIS without the packages bullmq and ioredis, and when Redis cannot be reached or refuses
 */
export async function queueWorker(settings: QueueWorkerSettings): Promise<QueueWorker> {
  const { onDone = () => undefined, onNotice = () => undefined, script } = settings;
  const url = requireRedisUrl(settings.redis);
  const jobs = requireWorkers(settings.jobs ?? os.availableParallelism());
  const library = loadQueueLibrary();
  let closing: Promise<void> | undefined;
  const { client } = await connect(library, url, (text) => {
    if (closing === undefined) onNotice(text);
  });
  /** By the memory that a cell may have, which is a thread's for life. */
  const pools = new Map<number | undefined, ThreadPool>();
  const poolFor = (memory: number | undefined): ThreadPool => {
    const pool = pools.get(memory) ?? new ThreadPool({ workers: jobs, script, memory });
    pools.set(memory, pool);
    return pool;
  };

  const compute = async (remote: RemoteTask, job: QueueJob): Promise<Reply> => {
    const { task, kernels, files, limits } = remote;
    try {
      requireSameCode(remote);
      const terms = { kernels, files, timeout: limits.timeout };
      return { ok: true, result: await poolFor(limits.memory).run(task, terms, { onEpoch: epochsOf(job) }) };
    } catch (error) {
      if (closing !== undefined && error instanceof GradstandError && error.code === "E_INTERRUPTED")
        throw error;
      return { ok: false, failure: withPlace(failureText(error)) };
    }
  };

  const work = async (job: QueueJob, token?: string): Promise<void> => {
    const id = job.id!;
    // Delivered twice.
    if ((await client.exists(answerKey(id))) === 1) return;
    const begin = performance.now();
    const remote = decodeTask(job.data.task);
    let reply: Reply;
    try {
      reply = await compute(remote, job);
    } catch {
      await job.moveToWait(token);
      throw new library.WaitingError();
    }
    // Before the job ends: whoever sees it gone finds the answer.
    await putAnswer(client, id, reply);
    onDone({
      cell: describeTask(remote.task),
      seconds: (performance.now() - begin) / 1000,
      ...(!reply.ok && { failed: reply.failure.message }),
    });
  };

  const worker = new library.Worker(queueName(), work, {
    ...queuePlace(url),
    name: `${os.hostname()}-${process.pid}`,
    concurrency: jobs,
    lockDuration: LOCK,
    stalledInterval: STALLED,
    maxStalledCount: 1,
  });
  worker.on("error", ({ message }) => {
    if (/could not renew lock|Missing lock/.test(message))
      onNotice(`${message}: another worker may compute it too, which does no harm`);
  });
  await worker.waitUntilReady();

  const close = async (): Promise<void> => {
    const closed = worker.close();
    await Promise.all([...pools.values()].map((pool) => pool.close()));
    // Without Redis nothing can be put back; the queue notices that this worker is gone.
    await within(TIDY, closed);
    await within(CLOSE, worker.disconnect());
    client.disconnect();
  };
  return { queue: queueName(), jobs, close: () => (closing ??= close()) };
}

/** Tells the run of a cell's epochs, though not of each. */
function epochsOf(job: QueueJob): (event: EpochEvent) => void {
  let last = -Infinity;
  return ({ epoch, loss }) => {
    if (performance.now() - last < EPOCHS_EVERY || !Number.isFinite(loss)) return;
    last = performance.now();
    job.updateProgress({ epoch, loss }).catch(() => undefined);
  };
}

/** A file that is missing or other than the run's is so on this machine. */
function withPlace(failure: ReturnType<typeof failureText>): ReturnType<typeof failureText> {
  if (failure.code !== "E_PLUGIN_FILE") return failure;
  const place = `the worker on ${os.hostname()} in ${process.cwd()}, where the file must be as it is where the run was started`;
  return { ...failure, message: `${failure.message} (${place})` };
}
