import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { executorOf } from "../../../src/bench/run/executor-of.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan, type RunSettings } from "../../../src/bench/run/run-plan.js";
import { smallPlan } from "./small-plan.js";
import { openStore } from "../../../src/bench/store/index.js";

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-workers-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function valuesOf(idea: string, settings: RunSettings) {
  const record = await runPlan(smallPlan(idea), settings);
  const { baseline, ideaArm, floors, checks, signatures, mechanism } = record;
  const cells = record.cells.map((cell) => ({ ...cell, seconds: 0, memory: 0 }));
  return {
    values: { baseline, ideaArm, floors, checks, signatures, mechanism, cells },
    provenance: record.provenance,
  };
}

test.each(["moment-rank2", "residual-pivoted"])(
  "%s inline, one worker and two workers agree to the bit, and so does what was stored",
  async (idea) => {
    const folder = temporaryFolder();
    const inline = await valuesOf(idea, { executor: "inline" });
    const one = await valuesOf(idea, { executor: "threads", jobs: 1 });
    // An executor that is given stays open, so that a second run can use it.
    const executor = executorOf(smallPlan(idea), "threads", 2);
    onTestFinished(() => executor.close());
    const two = await valuesOf(idea, { executor, store: openStore(folder) });
    const again = await valuesOf(idea, { executor, store: openStore(folder) });
    expect(one.values).toStrictEqual(inline.values);
    expect(two.values).toStrictEqual(inline.values);
    expect(again.values).toStrictEqual(inline.values);
    // The order of keys counts too: a report is to be the same bytes.
    expect(JSON.stringify(again.values)).toBe(JSON.stringify(two.values));
    expect(two.provenance).toMatchObject({ executor: "threads", workers: 2 });
    expect(fs.readdirSync(folder)).toHaveLength(6);
  },
  600_000,
);

test("stopping a run with threads leaves whole cells only", async () => {
  const folder = temporaryFolder();
  const controller = new AbortController();
  const run = runPlan(planRun({ idea: "moment-rank2" }), {
    executor: "threads",
    jobs: 2,
    store: openStore(folder),
    signal: controller.signal,
    onProgress: ({ event }) => event.kind === "epoch" && controller.abort(),
  });
  await expect(run).rejects.toThrow(/E_INTERRUPTED/);
  expect(fs.readdirSync(folder).every((name) => name.endsWith(".json"))).toBe(true);
});
