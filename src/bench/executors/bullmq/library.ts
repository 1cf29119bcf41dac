import { createRequire } from "node:module";
import path from "node:path";
import { fail } from "../../../errors/index.js";
import { systemCode } from "../../store/store-failure.js";

/** As much of an ioredis client as is used. */
export interface RedisClient {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close" | "ready", listener: () => void): unknown;
  connect(): Promise<void>;
  disconnect(): void;
  mget(keys: readonly string[]): Promise<readonly (string | null)[]>;
  exists(key: string): Promise<number>;
  set(key: string, value: string, ex: "EX", seconds: number, nx: "NX"): Promise<"OK" | null>;
  del(keys: readonly string[]): Promise<number>;
  call(command: string, ...words: string[]): Promise<unknown>;
}

/** How a client connects. */
export interface RedisOptions {
  readonly lazyConnect?: boolean;
  readonly connectTimeout?: number;
  /** null lets a command wait for as long as the server is away. */
  readonly maxRetriesPerRequest: null;
  /** Milliseconds until the next attempt; null gives up. */
  readonly retryStrategy: (attempt: number) => number | null;
}

/** What a job carries: a task as `encodeTask` writes it. */
export interface JobData {
  readonly task: string;
}

/** As much of a job of BullMQ as is used. */
export interface QueueJob {
  readonly id?: string;
  readonly data: JobData;
  readonly failedReason?: string;
  updateProgress(progress: object): Promise<void>;
  moveToWait(token?: string): Promise<unknown>;
}

/** What BullMQ's classes have in common. */
interface Connected {
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Where and under what keys a queue lies. */
export interface QueuePlace {
  readonly connection: RedisOptions & { readonly url: string };
  readonly prefix: string;
}

export interface JobOptions {
  readonly jobId: string;
  readonly removeOnComplete: boolean;
  readonly removeOnFail: { readonly age: number };
}

export interface Queue extends Connected {
  add(name: string, data: JobData, options: JobOptions): Promise<unknown>;
  /** 0 where a worker has the job. */
  remove(id: string): Promise<number>;
  getJob(id: string): Promise<QueueJob | undefined>;
  getJobState(id: string): Promise<string>;
}

export interface QueueEvents extends Connected {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(
    event: "completed" | "failed" | "stalled",
    listener: (told: { readonly jobId: string }) => void,
  ): unknown;
  on(
    event: "progress",
    listener: (told: { readonly jobId: string; readonly data: unknown }) => void,
  ): unknown;
}

export interface WorkerOptions extends QueuePlace {
  readonly name: string;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly lockDuration: number;
  /** Milliseconds between two looks for jobs whose lock has run out. */
  readonly stalledInterval: number;
  /** How often such a job is given to another worker. */
  readonly maxStalledCount: number;
}

export interface Worker extends Connected {
  waitUntilReady(): Promise<unknown>;
}

/** The classes of the two packages that are used: both are optional peers, and neither's own types are needed to compile. */
export interface QueueLibrary {
  readonly Redis: new (url: string, options: RedisOptions) => RedisClient;
  readonly Queue: new (name: string, place: QueuePlace) => Queue;
  readonly QueueEvents: new (name: string, place: QueuePlace) => QueueEvents;
  readonly Worker: new (
    name: string,
    process: (job: QueueJob, token?: string) => Promise<void>,
    options: WorkerOptions,
  ) => Worker;
  /** Thrown by a processor that has put its job back. */
  readonly WaitingError: new () => Error;
}

/** Where the packages are looked for: beside this package, then in the project of the working folder. */
const places = (): readonly string[] => [import.meta.url, path.join(process.cwd(), "package.json")];

/**
 * Loads bullmq and ioredis.
 *
 * @throws E_REDIS when they are not installed, or cannot be loaded
 */
export function loadQueueLibrary(from: readonly string[] = places()): QueueLibrary {
  for (const place of from) {
    const load = createRequire(place);
    if (!["bullmq", "ioredis"].every((name) => isInstalled(load, name))) continue;
    try {
      const { Queue, QueueEvents, Worker, WaitingError } = load("bullmq") as QueueLibrary;
      const { Redis } = load("ioredis") as QueueLibrary;
      return { Redis, Queue, QueueEvents, Worker, WaitingError };
    } catch (error) {
      fail("E_REDIS", `bullmq and ioredis are installed but cannot be loaded: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  return fail(
    "E_REDIS",
    "a queue on Redis needs the packages bullmq and ioredis, which are not installed with gradstand; install them in " +
      "your project by `npm install bullmq ioredis`, on every machine that has a worker too",
  );
}

function isInstalled(load: NodeJS.Require, name: string): boolean {
  try {
    load.resolve(name);
    return true;
  } catch (error) {
    if (systemCode(error) === "MODULE_NOT_FOUND") return false;
    throw error;
  }
}
