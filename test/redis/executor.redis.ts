import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { bullmqExecutor, inlineExecutor, queueWorker } from "../../src/bench/executors/index.js";
import { queueName, queuePlace } from "../../src/bench/executors/bullmq/cell-queue.js";
import { loadQueueLibrary } from "../../src/bench/executors/bullmq/library.js";
import type { CellLimits, Executor, TaskHooks } from "../../src/bench/executors/executor.js";
import type { TrainTask } from "../../src/bench/executors/task.js";
import { kernels } from "../../src/tensor/index.js";
import { projectFolder, RedisServer } from "./server.js";

const script = fileURLToPath(new URL("../bench/executors/fixtures/unruly-worker.mjs", import.meta.url));
const here = process.cwd();
let server: RedisServer;

beforeAll(async () => {
  // Where bullmq and ioredis are looked for.
  process.chdir(projectFolder());
  server = await RedisServer.start();
});
afterEach(() => server.call("FLUSHALL"));
afterAll(async () => {
  process.chdir(here);
  await server.stop();
});

/** A cell at which a worker with the script above does what the track says. */
const task = (track: string): TrainTask => ({
  kind: "train",
  spec: {
    kind: "train",
    arm: "baseline",
    idea: null,
    track,
    model: "rnn_small",
    cfg: { lr: 0.01 },
    seed: 0,
    epochs: 1,
    trainSize: 8,
    validationSize: 0,
    testSize: 4,
    evaluate: "test",
    batchSize: 8,
    optimizer: "adam",
  },
});

function executor(limits: CellLimits = {}, patience?: number): Executor {
  const opened = bullmqExecutor({ redis: server.url, local: inlineExecutor(new Map()), limits, patience });
  onTestFinished(() => opened.close());
  return opened;
}

async function worker(): Promise<void> {
  const opened = await queueWorker({ redis: server.url, jobs: 1, script });
  onTestFinished(() => opened.close());
}

/** What a cell comes to in a queue with one worker. */
async function computed(track: string, limits?: CellLimits, hooks?: TaskHooks): Promise<unknown> {
  await worker();
  return executor(limits).run(task(track), hooks);
}

test("a worker uses the kernels and the memory that the run asks for, and tells of epochs", async () => {
  expect(await computed("kernels")).toEqual([{ name: kernels().name, value: 0 }]);
  expect(await executor({ memory: 64 }).run(task("memory"))).toEqual([{ name: "memory", value: 64 }]);
  const onEpoch = vi.fn();
  await executor().run(task("epochs"), { onEpoch });
  // Of epochs that follow each other at once only the first is told.
  expect(onEpoch.mock.calls).toEqual([[{ epoch: 1, loss: 0.5 }]]);
});

test.each([
  ["throws", {}, "E_CELL", /the cell baseline .* failed: E_NUMERIC: not positive definite/],
  ["loop", { timeout: 0.2 }, "E_TIMEOUT", /the cell baseline .* took longer than 0\.2 s/],
  ["exit", {}, "E_CRASH", /the cell baseline .* failed: its worker died 2 times/],
])("a cell that does not end well has its error: %s", async (track, limits, code, message) => {
  await expect(computed(track, limits)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
  // It may go well the next time.
  await vi.waitFor(async () => expect(await server.answers()).toBe(0));
});

test("a task that is asked for twice at the same time is done once", async () => {
  await worker();
  const opened = executor();
  const [one, other] = await Promise.all([opened.run(task("kernels")), opened.run(task("kernels"))]);
  expect(other).toBe(one);
});

/** A worker that is no good: what it does of BullMQ's with a cell is given. */
function poorWorker(process: () => Promise<void>, options: object): void {
  const { Worker } = loadQueueLibrary();
  const place = { ...queuePlace(server.url), name: "poor", lockDuration: 20_000, stalledInterval: 5000 };
  const poor = new Worker(queueName(), process, { ...place, concurrency: 1, maxStalledCount: 1, ...options });
  poor.on("error", () => undefined);
  onTestFinished(() => poor.disconnect());
}

test("a worker that cannot leave its answer fails the cell with the reason", async () => {
  poorWorker(() => Promise.reject(new Error("OOM command not allowed when used memory > 'maxmemory'")), {});
  await expect(executor().run(task("kernels"))).rejects.toMatchObject({
    code: "E_CRASH",
    message: expect.stringMatching(/its worker could not answer: OOM command not allowed/),
  });
});

test("a cell that is lost twice has failed, and is said to have been tried again", async () => {
  // It takes the cell, and lets its lock run out each time.
  const silent = { lockDuration: 300, skipLockRenewal: true, stalledInterval: 300, concurrency: 4 };
  poorWorker(() => new Promise(() => undefined), silent);
  const onRetry = vi.fn();
  await expect(executor().run(task("kernels"), { onRetry })).rejects.toMatchObject({
    code: "E_CRASH",
    message: expect.stringMatching(/two workers that had it were lost, or lost Redis, before they answered/),
  });
  expect(onRetry).toHaveBeenCalledWith(expect.stringMatching(/^its worker was lost, or lost Redis/));
});

test("a Redis that goes away for good ends the run, and closing does not wait for it", async () => {
  const gone = await RedisServer.start();
  const onNotice = vi.fn();
  const opened = bullmqExecutor({
    redis: gone.url,
    local: inlineExecutor(new Map()),
    patience: 2,
    onNotice,
  });
  const answer = opened.run(task("kernels")).catch((error: unknown) => error);
  await gone.until("wait", 1);
  await gone.stop();
  expect(await answer).toMatchObject({
    code: "E_REDIS",
    message: expect.stringMatching(/there is no Redis at redis:.* that can be reached: .*ECONNREFUSED/),
  });
  expect(onNotice).toHaveBeenCalledWith(expect.stringMatching(/^lost the connection to redis:/));
  const begin = performance.now();
  await opened.close();
  expect(performance.now() - begin).toBeLessThan(20_000);
});

test("closed, it rejects what waits and takes it out of the queue", async () => {
  const opened = executor();
  const answer = opened.run(task("kernels")).catch((error: unknown) => error);
  await server.until("wait", 1);
  await opened.close();
  expect(await answer).toMatchObject({ code: "E_INTERRUPTED" });
  expect(await server.jobs("wait")).toBe(0);
});

test("what is no Redis is called that", async () => {
  const web = http.createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
  await once(web, "listening");
  onTestFinished(() => void web.close());
  const url = `redis://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const opened = bullmqExecutor({ redis: url, local: inlineExecutor(new Map()) });
  onTestFinished(() => opened.close());
  await expect(opened.run(task("kernels"))).rejects.toMatchObject({
    code: "E_REDIS",
    message: expect.stringMatching(
      /expected a Redis at redis:.*, but what answers there does not speak like one/,
    ),
  });
});
