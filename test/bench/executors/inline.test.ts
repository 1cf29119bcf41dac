import { expect, test, vi } from "vitest";
import { inlineExecutor } from "../../../src/bench/executors/index.js";
import type { TrainTask } from "../../../src/bench/executors/task.js";
import { runTrainingCell } from "../../../src/bench/cells/train-cell.js";

const task: TrainTask = {
  kind: "train",
  spec: {
    kind: "train",
    track: "dynamics",
    model: "rnn_small",
    arm: "baseline",
    cfg: { lr: 0.003 },
    seed: 0,
    trainSize: 8,
    validationSize: 0,
    testSize: 4,
    evaluate: "test",
    epochs: 3,
    batchSize: 8,
    optimizer: "adam",
    idea: null,
  },
};

test("gives what the cell gives, with its epochs", async () => {
  const epochs: number[] = [];
  const outcome = await inlineExecutor(new Map()).run(task, { onEpoch: ({ epoch }) => epochs.push(epoch) });
  expect(outcome.result).toStrictEqual(runTrainingCell(task.spec, new Map()).result);
  expect(epochs).toEqual([1, 2, 3]);
});

test("lets other work have its turn after each epoch, so that it can be stopped there", async () => {
  const executor = inlineExecutor(new Map());
  const epochs: number[] = [];
  const onEpoch = ({ epoch }: { readonly epoch: number }): void => {
    epochs.push(epoch);
    if (epoch === 2) setImmediate(() => void executor.close());
  };
  await expect(executor.run(task, { onEpoch })).rejects.toMatchObject({ code: "E_INTERRUPTED" });
  expect(epochs).toEqual([1, 2]);
  await expect(executor.run(task)).rejects.toMatchObject({ code: "E_INTERRUPTED" });
});

test("a failure names the task and keeps the stack", async () => {
  const unknown: TrainTask = { ...task, spec: { ...task.spec, track: "nowhere" } };
  await expect(inlineExecutor(new Map()).run(unknown)).rejects.toMatchObject({
    code: "E_CELL",
    message: expect.stringContaining(
      "the cell baseline lr=0.003 seed=0 failed: E_TRACK: a cell names the track",
    ),
    cause: { stack: expect.stringContaining("build-model") },
  });
});

test("a task that takes longer than it may is stopped at the end of an epoch", async () => {
  const clock = vi.spyOn(performance, "now");
  let now = 0;
  clock.mockImplementation(() => now);
  const onEpoch = (): void => void (now += 600);
  const timed = (timeout: number) => inlineExecutor(new Map(), { timeout }).run(task, { onEpoch });
  await expect(timed(1)).rejects.toThrow("E_TIMEOUT: the cell baseline lr=0.003 seed=0 took longer than 1 s");
  await expect(timed(2)).resolves.toMatchObject({ result: { status: "ok" } });
  clock.mockRestore();
});

test("a task that holds more memory than it may is E_CRASH", async () => {
  await expect(inlineExecutor(new Map(), { memory: 2 ** -20 }).run(task)).rejects.toThrow(
    /E_CRASH: the cell baseline lr=0.003 seed=0 failed: it holds \d+ MiB of buffers/,
  );
  expect(() => inlineExecutor(new Map(), { memory: 0 })).toThrow(/E_VALUE: the memory of a cell/);
});
