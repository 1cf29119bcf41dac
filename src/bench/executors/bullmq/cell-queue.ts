import { packageFingerprint } from "../../cells/fingerprint.js";
import type { CellLimits } from "../executor.js";
import { encodeTask } from "../remote-task.js";
import { decodeReply, encodeReply, type Reply } from "../reply.js";
import { describeTask, type CellTask, type EpochEvent } from "../task.js";
import { connect, lasting, redisTrouble, type Connection } from "./connection.js";
import type { Queue, QueueEvents, QueueLibrary, QueuePlace, RedisClient } from "./library.js";
import { within } from "./within.js";

/** The first part of every key in Redis. */
const PREFIX = "gradstand";

/** Seconds that answers, and jobs that failed, wait for a run that was stopped: a week. */
const KEEP = 7 * 24 * 3600;

/** Milliseconds that it may take to put things away when Redis is away too. */
const TIDY = 5000;

/** Milliseconds that connections get to end. */
const CLOSE = 1000;

/**
 * The queue of cells of one version of the package: a worker of another one has another queue, and takes nothing of this. `v1` is the
 * form in which tasks and answers are written.
 */
export function queueName(fingerprint = packageFingerprint()): string {
  return `cells-v1-${fingerprint.slice(0, 16)}`;
}

/** The key of an answer, by the hash of its task. */
export function answerKey(id: string, queue = queueName()): string {
  return `${PREFIX}:${queue}:answer:${id}`;
}

/** Where the queue lies, for BullMQ. */
export function queuePlace(url: string): QueuePlace {
  return { prefix: PREFIX, connection: { url, ...lasting } };
}

/** Leaves the answer of a task; the first one stays. */
export async function putAnswer(client: RedisClient, id: string, reply: Reply): Promise<void> {
  await client.set(answerKey(id), encodeReply(reply), "EX", KEEP, "NX");
}

/** What a queue tells of its jobs. Some of it may get lost: answers are looked for as well. */
export interface QueueListener {
  readonly onEpoch: (id: string, event: EpochEvent) => void;
  /** Its worker was lost, and it waits for another. */
  readonly onStalled: (id: string) => void;
  /** A job has ended, well or not. */
  readonly onEnded: (id: string) => void;
  readonly onNotice: (text: string) => void;
}

/** The workers that are connected. */
export interface ConnectedWorkers {
  readonly own: number;
  /** Those of other versions. */
  readonly others: number;
}

/** The queue as a run sees it: tasks go in, answers come out. */
export class CellQueue {
  readonly name = queueName();
  readonly #queue: Queue;
  readonly #events: QueueEvents;
  readonly #connection: Connection;

  private constructor(
    library: QueueLibrary,
    readonly url: string,
    connection: Connection,
    listener: QueueListener,
  ) {
    this.#connection = connection;
    this.#queue = new library.Queue(this.name, queuePlace(url));
    this.#events = new library.QueueEvents(this.name, queuePlace(url));
    // Their connections come and go with that of the client, which tells of it.
    this.#queue.on("error", () => undefined);
    this.#events.on("error", () => undefined);
    this.#events.on("completed", ({ jobId }) => listener.onEnded(jobId));
    this.#events.on("failed", ({ jobId }) => listener.onEnded(jobId));
    this.#events.on("stalled", ({ jobId }) => listener.onStalled(jobId));
    this.#events.on("progress", ({ jobId, data }) => listener.onEpoch(jobId, data as EpochEvent));
  }

  /** Throws `E_REDIS` where the Redis cannot be used. */
  static async open(library: QueueLibrary, url: string, listener: QueueListener): Promise<CellQueue> {
    const connection = await connect(library, url, listener.onNotice);
    return new CellQueue(library, url, connection, listener);
  }

  /** What is wrong with the connection. */
  trouble(): Error {
    return this.#connection.trouble();
  }

  /**
   * Hands a task in. A job of it that waits, or that failed, is replaced, since its limits may be other ones; one that a worker
   * has stays.
   *
   * @throws E_REDIS when Redis refuses it
   */
  async handIn(id: string, task: CellTask, limits: CellLimits): Promise<void> {
    try {
      await this.#queue.remove(id);
      await this.#queue.add(
        describeTask(task),
        { task: encodeTask(task, limits) },
        { jobId: id, removeOnComplete: true, removeOnFail: { age: KEEP } },
      );
    } catch (error) {
      throw redisTrouble(this.url, error as Error);
    }
  }

  /** The answers that are there. */
  async answers(ids: readonly string[]): Promise<ReadonlyMap<string, Reply>> {
    const found = new Map<string, Reply>();
    if (ids.length === 0) return found;
    const texts = await this.#connection.client.mget(ids.map((id) => answerKey(id)));
    texts.forEach((text, at) => text !== null && found.set(ids[at]!, decodeReply(text)));
    return found;
  }

  /** How a job stands: `waiting`, `active`, `failed`, `unknown` where there is none, and others of BullMQ's. */
  state(id: string): Promise<string> {
    return this.#queue.getJobState(id);
  }

  async failedReason(id: string): Promise<string | undefined> {
    return (await this.#queue.getJob(id))?.failedReason;
  }

  /** Removes jobs that no worker has. */
  async withdraw(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#queue.remove(id)));
  }

  /** Removes answers. */
  async forget(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#connection.client.del(ids.map((id) => answerKey(id)));
  }

  /** The workers that are connected; undefined where Redis does not say. */
  async workers(): Promise<ConnectedWorkers | undefined> {
    try {
      return workersIn(String(await this.#connection.client.call("CLIENT", "LIST")));
    } catch {
      return undefined;
    }
  }

  /** Does the last things, as far as Redis lets them be done in a few seconds, and closes every connection. */
  async close(lastly: () => Promise<void>): Promise<void> {
    await within(TIDY, lastly());
    // Closed, since events would be listened for without end; disconnected, since one that is away is not closed.
    await within(CLOSE, Promise.all([this.#queue.close(), this.#events.close()]));
    await within(CLOSE, Promise.all([this.#queue.disconnect(), this.#events.disconnect()]));
    this.#connection.client.disconnect();
  }
}

/** The workers in what `CLIENT LIST` prints: BullMQ gives a worker's connection the name of its queue in base64. */
export function workersIn(list: string, queue = queueName()): ConnectedWorkers {
  let own = 0;
  let others = 0;
  for (const [, encoded] of list.matchAll(new RegExp(String.raw`\bname=${PREFIX}:([\w+/=-]+):w:`, "g"))) {
    if (Buffer.from(encoded!, "base64").toString() === queue) own += 1;
    else others += 1;
  }
  return { own, others };
}
