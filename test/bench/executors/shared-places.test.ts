import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { sharePlaces, type Executor, type Task, type TaskHooks } from "../../../src/bench/executors/index.js";
import { exampleCell } from "../store/example-cell.js";

/** A task that is told by a number. */
const floors = (seed: number): Task => ({
  kind: "floors",
  track: "dynamics",
  seed,
  sizes: { train: 1, test: 1 },
});

/** A training cell of the baseline. */
const cell = (seed: number): Task & { kind: "train" } => ({ kind: "train", spec: exampleCell(seed).spec });

const seedOf = (task: Task): number =>
  task.kind === "train" ? task.spec.seed : (task as { seed: number }).seed;

/** An executor whose tasks end when they are told to, with their own number. */
function heldExecutor(workers: number) {
  const begun: number[] = [];
  const hooksOf = new Map<number, TaskHooks>();
  const endings = new Map<number, { resolve: (result: never) => void; reject: (error: unknown) => void }>();
  const executor: Executor = {
    name: "threads",
    workers,
    queued: true,
    run: (task, hooks = {}) => {
      begun.push(seedOf(task));
      hooksOf.set(seedOf(task), hooks);
      return new Promise((resolve, reject) => endings.set(seedOf(task), { resolve, reject }));
    },
    close: async () => undefined,
  };
  const end = async (seed: number): Promise<void> => {
    endings.get(seed)!.resolve(seed as never);
    await nextTurn();
    await nextTurn();
  };
  const fail = async (seed: number): Promise<void> => {
    endings.get(seed)!.reject(new Error(`task ${seed}`));
    await nextTurn();
  };
  return { executor, begun, hooksOf, end, fail };
}

test("a view is like the executor, whose places are never exceeded; the earliest run goes first, then who asked first", async () => {
  const { executor, begun, end } = heldExecutor(2);
  const [first, second, third] = sharePlaces(executor, 3);
  expect(second).toMatchObject({ name: "threads", workers: 2, queued: true });
  const results = [
    third!.run(floors(20)),
    second!.run(floors(10)),
    second!.run(floors(11)),
    first!.run(floors(0)),
    third!.run(floors(21)),
    first!.run(floors(1)),
    first!.run(floors(2)),
  ];
  await nextTurn();
  await nextTurn();
  expect(begun).toEqual([0, 1]);
  const order: number[][] = [];
  for (const seed of [1, 0, 2, 10, 11, 20, 21]) {
    const before = begun.length;
    await end(seed);
    order.push(begun.slice(before));
  }
  expect(order).toEqual([[2], [10], [11], [20], [21], [], []]);
  expect(await Promise.all(results)).toEqual([20, 10, 11, 0, 21, 1, 2]);
});

test("a run whose task ends gets its place again when it asks at once, before later runs that wait", async () => {
  const { executor, begun, end } = heldExecutor(1);
  const [first, second] = sharePlaces(executor, 2);
  const inTurn = async (): Promise<void> => {
    for (const seed of [0, 1]) await first!.run(floors(seed));
  };
  void second!.run(floors(10));
  const done = inTurn();
  await nextTurn();
  await end(0);
  expect(begun).toEqual([0, 1]);
  await end(1);
  await done;
  expect(begun).toEqual([0, 1, 10]);
});

test("what the first open run waits for begins in the same turn, so that no worker waits for other work of this thread", async () => {
  const { executor, begun, end } = heldExecutor(1);
  const [first, second] = sharePlaces(executor, 2);
  void first!.run(floors(0));
  expect(begun).toEqual([0]);
  await end(0);
  await first!.close();
  void second!.run(floors(10));
  expect(begun).toEqual([0, 10]);
});

test("a training cell that two runs ask for is computed once, for both", async () => {
  const { executor, begun, hooksOf, end } = heldExecutor(1);
  const [first, second] = sharePlaces(executor, 2);
  const told: string[] = [];
  const hooks = (who: string): TaskHooks => ({
    onBegin: () => told.push(`${who} begins`),
    onEpoch: ({ epoch }) => told.push(`${who} ${epoch}`),
    onRetry: (reason) => told.push(`${who} ${reason}`),
    onWaiting: (reason) => told.push(`${who} ${reason}`),
  });
  const held = first!.run(floors(0));
  const waiting = second!.run(cell(5), hooks("second"));
  const other = second!.run(floors(10));
  expect(told).toEqual([]);
  const joined = first!.run(cell(5), hooks("first"));
  await end(0);
  expect(begun).toEqual([0, 5]);
  const late = second!.run(cell(5), hooks("late"));
  expect(told).toEqual(["second begins", "first begins", "late begins"]);
  told.length = 0;
  hooksOf.get(5)!.onEpoch!({ epoch: 2, loss: 1 });
  hooksOf.get(5)!.onRetry!("again");
  hooksOf.get(5)!.onWaiting!("queue");
  const each = (what: string) => ["second", "first", "late"].map((who) => `${who} ${what}`);
  expect(told).toEqual([...each("2"), ...each("again"), ...each("queue")]);
  await end(5);
  await end(10);
  expect(await Promise.all([held, waiting, joined, late, other])).toEqual([0, 5, 5, 5, 10]);
  void first!.run(cell(5));
  expect(begun).toEqual([0, 5, 10, 5]);
});

test("a failure goes to whoever asked, and frees the place", async () => {
  const { executor, begun, fail } = heldExecutor(1);
  const [first, second] = sharePlaces(executor, 2);
  const both = [first!.run(cell(0)), second!.run(cell(0))].map((one) =>
    expect(one).rejects.toThrow("task 0"),
  );
  void second!.run(floors(10));
  await fail(0);
  await Promise.all(both);
  await nextTurn();
  expect(begun).toEqual([0, 10]);
});

test("closing a view stops what is its own and leaves the others; what is under way keeps its place until it ends", async () => {
  const { executor, begun, end } = heldExecutor(2);
  const close = vi.spyOn(executor, "close");
  const [first, second] = sharePlaces(executor, 2);
  const stopped = { code: "E_INTERRUPTED" };
  const [own, shared] = [first!.run(floors(0)), first!.run(cell(1))];
  const waiting = first!.run(floors(2));
  const others = [second!.run(cell(1)), second!.run(floors(10)), second!.run(floors(11))];
  await nextTurn();
  await first!.close();
  await first!.close();
  for (const one of [own, shared, waiting]) await expect(one).rejects.toMatchObject(stopped);
  await expect(first!.run(floors(3))).rejects.toMatchObject(stopped);
  await nextTurn();
  expect(begun).toEqual([0, 1]);
  await end(1);
  expect(begun).toEqual([0, 1, 10]);
  await end(0);
  expect(begun).toEqual([0, 1, 10, 11]);
  await end(10);
  await end(11);
  expect(await Promise.all(others)).toEqual([1, 10, 11]);
  expect(begun).toEqual([0, 1, 10, 11]);
  expect(close).not.toHaveBeenCalled();
});

test("a view counts the time in which it waits and nothing of it is under way", async () => {
  const { executor, end } = heldExecutor(1);
  const [first, second] = sharePlaces(executor, 2);
  const now = vi.spyOn(performance, "now");
  const waitedAt = (seconds: number): number[] => {
    now.mockReturnValue(seconds * 1000);
    return [first!, second!].map((view) => view.secondsWaited!());
  };
  try {
    expect(waitedAt(0)).toEqual([0, 0]);
    void first!.run(floors(0));
    void second!.run(cell(10));
    expect(waitedAt(3)).toEqual([0, 3]);
    await end(0);
    const stopped = expect(second!.run(floors(11))).rejects.toMatchObject({ code: "E_INTERRUPTED" });
    expect(waitedAt(5)).toEqual([0, 3]);
    void first!.run(floors(1));
    void first!.run(cell(10));
    await end(10);
    expect(waitedAt(9)).toEqual([0, 7]);
    await second!.close();
    await stopped;
    expect(waitedAt(12)).toEqual([0, 7]);
  } finally {
    now.mockRestore();
  }
});
