import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CellLimits, Executor } from "../../../src/bench/executors/executor.js";
import type { FloorsTask } from "../../../src/bench/executors/task.js";
import { kernels } from "../../../src/tensor/index.js";
import { threadExecutor } from "../../../src/bench/executors/threads.js";

const script = fileURLToPath(new URL("./fixtures/unruly-worker.mjs", import.meta.url));

function open(workers: number, limits: CellLimits = {}): Executor {
  const executor = threadExecutor({ workers, script, limits });
  onTestFinished(() => executor.close());
  return executor;
}

const task = (behaviour: string, seed = 0): FloorsTask => ({
  kind: "floors",
  track: behaviour,
  seed,
  sizes: { train: 1, test: 1 },
});

test("each task gets its own answer, in whatever order they end", async () => {
  const executor = open(2);
  const answers = await Promise.all([0, 1, 2, 3, 4].map((seed) => executor.run(task("slow", seed))));
  expect(answers.map(([floor]) => floor.value)).toEqual([0, 1, 2, 3, 4]);
});

test("as many threads as asked for, one a core by default", async () => {
  const executor = open(3);
  expect(executor.workers).toBe(3);
  await Promise.all([0, 1, 2].map((seed) => executor.run(task("slow", seed))));
  const threads = await Promise.all([0, 1, 2].map((seed) => executor.run(task("answer", seed))));
  expect(new Set(threads.map(([floor]) => floor.name)).size).toBe(3);
  expect(threadExecutor({ script }).workers).toBe(os.availableParallelism());
});

test("threads that were warmed are the ones that tasks find, no more than there are; closing it stops what has begun", async () => {
  const executor = open(2);
  const spawned: unknown[] = [];
  const count = (worker: unknown): void => void spawned.push(worker);
  process.on("worker", count);
  onTestFinished(() => void process.off("worker", count));
  executor.warm!(5);
  await wait(0);
  expect(spawned).toHaveLength(2);
  await Promise.all([0, 1, 2].map((seed) => executor.run(task("answer", seed))));
  expect(spawned).toHaveLength(2);
  const stopped = open(3);
  stopped.warm!(1);
  await wait(0);
  expect(spawned).toHaveLength(3);
  await stopped.close();
  await expect(stopped.run(task("answer"))).rejects.toMatchObject({ code: "E_INTERRUPTED" });
});

test("epochs are reported while the task runs", async () => {
  const onEpoch = vi.fn();
  await open(1).run(task("epochs"), { onEpoch });
  expect(onEpoch.mock.calls).toEqual([1, 2, 3].map((epoch) => [{ epoch, loss: epoch / 2 }]));
});

test("workers are told which kernels to use", async () => {
  expect(await open(1).run(task("kernels"))).toEqual([{ name: kernels().name, value: 0 }]);
});

test("a task that throws is E_CELL with its message and stack, and is not tried again", async () => {
  const onRetry = vi.fn();
  const failure = open(1).run(task("throws", 7), { onRetry });
  await expect(failure).rejects.toMatchObject({
    code: "E_CELL",
    message: "E_CELL: the floors of throws at seed 7 failed: E_NUMERIC: not positive definite",
    cause: { stack: "at the worker" },
  });
  expect(onRetry).not.toHaveBeenCalled();
});

test("a task whose worker dies once is done by a new worker", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-threads-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const onRetry = vi.fn();
  const [floor] = await open(1).run(task(`exit-once ${path.join(folder, "marker")}`, 5), { onRetry });
  expect(floor.value).toBe(5);
  expect(onRetry).toHaveBeenCalledTimes(1);
});

test.each(["exit", "late"])(
  "a task whose worker dies twice (%s) is E_CRASH; others go on",
  async (behaviour) => {
    const executor = open(2);
    const onRetry = vi.fn();
    const bad = executor.run(task(behaviour, 1), { onRetry });
    const good = Promise.all([2, 3, 4].map((seed) => executor.run(task("slow", seed))));
    await expect(bad).rejects.toThrow(/E_CRASH: the floors of \w+ at seed 1 failed: its worker died 2 times/);
    expect(onRetry).toHaveBeenCalledTimes(1);
    expect((await good).map(([floor]) => floor.value)).toEqual([2, 3, 4]);
    expect((await executor.run(task("answer", 9)))[0].value).toBe(9);
  },
);

test("a task that takes longer than it may is E_TIMEOUT, is not tried again, and its worker's place is taken by a new one", async () => {
  const executor = open(1, { timeout: 0.5 });
  const onRetry = vi.fn();
  await expect(executor.run(task("loop", 3), { onRetry })).rejects.toMatchObject({
    code: "E_TIMEOUT",
    message: expect.stringContaining("the floors of loop at seed 3 took longer than 0.5 s"),
  });
  expect(onRetry).not.toHaveBeenCalled();
  expect((await executor.run(task("answer", 4)))[0].value).toBe(4);
});

test("a task that fills the heap of its worker is E_CRASH with that reason; others go on", async () => {
  const executor = open(1, { memory: 20 });
  await expect(executor.run(task("hoard", 1))).rejects.toThrow(
    /E_CRASH: the floors of hoard at seed 1 failed: its worker died 2 times.*reaching memory limit/,
  );
  expect(await executor.run(task("memory"))).toEqual([{ name: "memory", value: 20 }]);
});

test.each([{ timeout: 0 }, { timeout: NaN }, { memory: -1 }])("the limits %j are refused", (limits) => {
  expect(() => threadExecutor({ workers: 1, script, limits })).toThrow(
    /E_VALUE: the (timeout|memory) of a cell/,
  );
});

test("closing stops even an endless loop, and refuses what comes later", async () => {
  const executor = open(2);
  const onRetry = vi.fn();
  const running = [0, 1].map((seed) => executor.run(task("loop", seed), { onRetry }));
  const ends = Promise.allSettled(running);
  await wait(200);
  const begin = performance.now();
  await executor.close();
  expect(performance.now() - begin).toBeLessThan(2000);
  for (const end of await ends)
    expect(end).toMatchObject({ status: "rejected", reason: { code: "E_INTERRUPTED" } });
  expect(onRetry).not.toHaveBeenCalled();
  await expect(executor.run(task("answer"))).rejects.toMatchObject({ code: "E_INTERRUPTED" });
});

test.each([0, 1.5, NaN, -2])("%j workers are refused", (workers) => {
  expect(() => threadExecutor({ workers, script })).toThrow(/E_VALUE: the number of jobs must be a positive/);
});
