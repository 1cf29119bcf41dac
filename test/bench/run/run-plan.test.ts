import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { builtInIdeas } from "../../../src/ideas/index.js";
import { mul } from "../../../src/autograd/index.js";
import type { Progress } from "../../../src/bench/run/progress.js";
import { inlineExecutor, type Executor } from "../../../src/bench/executors/index.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { memoryStore, openStore } from "../../../src/bench/store/index.js";
import type { RunRecord } from "../../../src/bench/record.js";
import { exampleIdea } from "./example-idea.js";
import { smallPlan } from "./small-plan.js";

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-run-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The part of a record that must not depend on where and when it was made. */
function essence(record: RunRecord) {
  return { ...record, provenance: undefined, cells: record.cells.map((cell) => ({ ...cell, seconds: 0 })) };
}

describe("a run of an idea that changes nothing", () => {
  test("gives identical arms, floors, a signature a seed, and every cell", async () => {
    const progress: Progress[] = [];
    const record = await runPlan(smallPlan(exampleIdea(), 3), {
      onProgress: (event) => progress.push(event),
    });

    expect(record.ideaArm).toEqual(record.baseline);
    expect(record.baseline.sweep.map(({ cfg }) => cfg)).toEqual([
      { lr: 0.001 },
      { lr: 0.003 },
      { lr: 0.006 },
    ]);
    const best = record.baseline.sweep.find(({ cfg }) => cfg === record.baseline.best)!;
    expect(record.baseline.values).toEqual(best.values);
    expect(record.floors.map(({ name, values }) => [name, values.length])).toEqual([
      ["mean", 2],
      ["last value", 2],
      ["ridge", 2],
    ]);
    expect(record.signatures.map(({ seed, signature }) => [seed, signature.confirmed])).toEqual([
      [0, true],
      [1, true],
    ]);
    expect(record.signatures[0].signature.figures.states).toBe(32);
    expect(record.mechanism).toMatchObject({ confirmed: true, mathematics: { passed: true } });
    expect(record.cells).toHaveLength(12);
    for (const cell of record.cells) {
      expect(cell).toMatchObject({ status: "ok", steps: 2 });
      expect(cell.curve).toHaveLength(1);
    }

    const phases = progress.flatMap(({ event }) => (event.kind === "phase" ? [event.phase] : []));
    expect(phases).toEqual(["checks", "training", "floors", "mechanism", "done"]);
    expect(progress.at(-1)).toMatchObject({ done: 14, total: 14, stored: 0, running: [], secondsLeft: 0 });
    expect(progress.every(({ done }, i) => i === 0 || done >= progress[i - 1].done)).toBe(true);
    const epoch = progress.find(({ event }) => event.kind === "epoch")!;
    expect(epoch.running).toMatchObject([{ kind: "train", arm: "baseline", seed: 0, epoch: 1, epochs: 1 }]);
    expect(epoch.stepsPerSecond).toBeGreaterThan(0);
  });
});

test("a failed identity stops the run before any cell", async () => {
  const failed = { name: "one", statement: "1 = 0", observed: 1, bound: 0, passed: false };
  const kinds: string[] = [];
  const folder = temporaryFolder();
  const run = runPlan(smallPlan(exampleIdea({ checks: () => [failed] })), {
    store: openStore(folder),
    onProgress: ({ event }) => kinds.push(event.kind),
  });
  await expect(run).rejects.toThrow(
    /E_IDENTITY: 1 of 1 identities of example do not hold.*1 = 0 \(observed 1/,
  );
  expect(kinds).toEqual(["phase"]);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test("an identity whose figure is no number has failed, whatever the idea says", async () => {
  const idea = exampleIdea({
    checks: () => [{ name: "nan", statement: "x = x", observed: NaN, bound: 1, passed: true }],
  });
  await expect(runPlan(smallPlan(idea))).rejects.toThrow(/E_IDENTITY/);
});

test("the cells of an idea without a name in the package are not stored; the baseline's are, and serve again", async () => {
  const folder = temporaryFolder();
  const first = await runPlan(smallPlan(exampleIdea()), { store: openStore(folder) });
  const keys = first.cells.filter(({ arm }) => arm === "baseline").map(({ key }) => `${key}.json`);
  expect(fs.readdirSync(folder).sort()).toEqual(keys.sort());
  let stored = 0;
  const second = await runPlan(smallPlan(exampleIdea()), {
    store: openStore(folder),
    onProgress: (progress) => (stored = progress.stored),
  });
  expect(stored).toBe(2);
  expect(essence(second)).toStrictEqual(essence(first));
});

test("what an idea draws shifts nobody else's numbers", async () => {
  const greedy = exampleIdea({
    change: (_options, rng) => ({
      hidden: (hidden) => {
        rng.normals(7);
        return hidden;
      },
    }),
  });
  const record = await runPlan(smallPlan(greedy));
  expect(record.ideaArm).toEqual(record.baseline);
});

test("an idea that changes something changes the idea arm only", async () => {
  const halved = exampleIdea({ change: () => ({ hidden: (hidden) => mul(hidden, 0.5) }) });
  const [plain, changed] = [await runPlan(smallPlan(exampleIdea())), await runPlan(smallPlan(halved))];
  expect(changed.baseline).toEqual(plain.baseline);
  expect(changed.ideaArm.values).not.toEqual(plain.ideaArm.values);
});

test("a model that diverges is recorded as such, and is not measured", async () => {
  const bad = exampleIdea({ change: () => ({ hidden: (hidden) => mul(hidden, NaN) }) });
  const record = await runPlan(smallPlan(bad));
  const idea = record.cells.filter(({ arm }) => arm === "idea");
  expect(idea.map(({ status, metric, steps }) => [status, metric, steps])).toEqual(
    new Array(2).fill(["diverged", Infinity, 0]),
  );
  expect(idea[0].curve).toEqual([NaN]);
  expect(record.ideaArm.values).toEqual([Infinity, Infinity]);
  expect(record.signatures).toEqual([]);
  expect(record.cells.filter(({ arm }) => arm === "baseline").every(({ status }) => status === "ok")).toBe(
    true,
  );
});

test("a cell that throws stops the run and is named", async () => {
  const bad = exampleIdea({
    change: () => ({
      hidden: () => {
        throw new Error("no such layer");
      },
    }),
  });
  await expect(runPlan(smallPlan(bad))).rejects.toThrow(
    "E_CELL: the cell idea lr=0.001 seed=0 failed: no such layer",
  );
});

test("an executor is warmed for the first cells that are not stored", async () => {
  const plan = smallPlan("moment-rank2");
  const warmed: number[] = [];
  const inline = inlineExecutor(builtInIdeas);
  const settings = {
    store: memoryStore(),
    executor: { ...inline, workers: 3, warm: (tasks: number) => void warmed.push(tasks) },
  };
  await runPlan(plan, settings);
  await runPlan(plan, settings);
  expect(warmed).toEqual([3, 0]);
});

test("where tasks wait for places of other runs, a cell has started when it begins, and the time waited is not the run's", async () => {
  const plan = smallPlan(exampleIdea());
  const inline = inlineExecutor(new Map([[plan.idea.name, plan.idea]]));
  const events: string[] = [];
  const executor: Executor = {
    ...inline,
    secondsWaited: () => 1000,
    run: (task, hooks) => {
      if (task.kind === "train") events.push("asked");
      if (task.kind !== "floors") hooks?.onBegin?.();
      return inline.run(task, hooks);
    },
  };
  const record = await runPlan(plan, {
    executor,
    onProgress: ({ event }) => {
      if (event.kind === "started" && event.cell.kind === "train") events.push("started");
    },
  });
  expect(events).toEqual(Array.from({ length: 4 }, () => ["asked", "started"]).flat());
  expect(record.provenance.seconds).toBeLessThan(-900);
});

test("worker threads refuse an idea that they cannot find", async () => {
  await expect(runPlan(smallPlan(exampleIdea()), { executor: "threads" })).rejects.toThrow(
    /E_IDEA.*'inline'/,
  );
});

describe("an interrupted run", () => {
  test("says what is kept, leaves nothing half-written, and goes on where it stopped", async () => {
    const whole = await runPlan(smallPlan(exampleIdea()));
    const folder = temporaryFolder();
    const controller = new AbortController();
    const interrupted = runPlan(smallPlan(exampleIdea()), {
      store: openStore(folder),
      signal: controller.signal,
      onProgress: ({ done }) => done === 3 && controller.abort(),
    });
    await expect(interrupted).rejects.toThrow(/E_INTERRUPTED: stopped with 3 of 6 cells finished.*kept in/);
    expect(fs.readdirSync(folder)).toHaveLength(2);
    const resumed = await runPlan(smallPlan(exampleIdea()), { store: openStore(folder) });
    expect(essence(resumed)).toStrictEqual(essence(whole));
  });

  test("a signal that was given before the start runs nothing", async () => {
    const run = runPlan(smallPlan(exampleIdea()), { signal: AbortSignal.abort() });
    await expect(run).rejects.toThrow(/E_INTERRUPTED: stopped with 0 of 6/);
  });
});
