import { expect, test } from "vitest";
import { mul } from "../../../src/autograd/index.js";
import type { PlanRequest } from "../../../src/bench/run/plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import type { Progress } from "../../../src/bench/run/progress.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import type { Idea } from "../../../src/ideas/index.js";
import { exampleIdea } from "./example-idea.js";

const sizes = { trainSize: 8, validationSize: 5, testSize: 4, epochs: 1 };

/** The preset standard at the smallest size at which it may be judged. */
const small = (idea: Idea, request: Omit<PlanRequest, "idea"> = {}) =>
  planRun({ idea, preset: "standard", seeds: 6, tuningSeeds: 2, sizes, ...request });

const halved = exampleIdea({ change: () => ({ hidden: (hidden) => mul(hidden, 0.5) }) });

test("tunes on the validation part with seeds of its own; only the final cells read the test part", async () => {
  const progress: Progress[] = [];
  const record = await runPlan(small(halved), { onProgress: (now) => progress.push(now) });
  const { seeds, sweepSeeds } = record.protocol;
  expect([seeds, sweepSeeds.baseline, sweepSeeds.idea]).toEqual([
    [0, 1, 2, 3, 4, 5],
    [1_000_000, 1_000_001],
    [1_000_000, 1_000_001],
  ]);
  for (const { evaluated, seed } of record.cells) {
    expect(evaluated).toBe(seed < 1_000_000 ? "test" : "validation");
  }
  for (const arm of [record.baseline, record.ideaArm]) {
    for (const row of arm.sweep) expect(row.seeds).toEqual([1_000_000, 1_000_001]);
    expect(arm.values).toHaveLength(6);
  }
  expect(record.baseline.sweep.map(({ cfg }) => cfg)).toEqual(record.ideaArm.sweep.map(({ cfg }) => cfg));
  const finals = record.cells.filter(({ evaluated }) => evaluated === "test");
  expect(
    finals.map(({ arm, cfg }) => cfg === (arm === "idea" ? record.ideaArm : record.baseline).best),
  ).toEqual(new Array(12).fill(true));
  const phases = progress.flatMap(({ event }) => (event.kind === "phase" ? [event.phase] : []));
  expect(phases).toEqual(["checks", "tuning", "training", "floors", "mechanism", "done"]);
  expect(progress[0]!.total).toBe(2 * 2 * 3 + 2 * 6 + 6);
  expect(progress.at(-1)).toMatchObject({ done: record.cells.length + 6, total: record.cells.length + 6 });
});
