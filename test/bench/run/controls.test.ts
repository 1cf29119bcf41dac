import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { mul } from "../../../src/autograd/index.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import type { Plan, PlanRequest } from "../../../src/bench/run/plan.js";
import { executorOf } from "../../../src/bench/run/executor-of.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { openStore } from "../../../src/bench/store/index.js";
import type { Control } from "../../../src/ideas/index.js";
import { Linear } from "../../../src/nn/index.js";
import { exampleIdea } from "./example-idea.js";

const words = { title: "a control", statement: "h → h", why: "nothing matters" };
const halved: Control = { ...words, name: "halved", change: () => ({ hidden: (h) => mul(h, 0.5) }) };
const learned: Control = {
  ...words,
  name: "learned",
  change: (_options, rng) => {
    const layer = new Linear(64, 64, { rng });
    return { modules: { layer }, hidden: (h) => layer.forward(h) };
  },
};
const narrow: Control = { ...words, name: "narrow", change: () => ({ width: 8 }) };
const itself: Control = { ...words, name: "itself", kind: "evaluated", change: () => ({ hidden: (h) => h }) };
const blind: Control = {
  ...words,
  name: "blind",
  kind: "evaluated",
  change: () => ({ hidden: (h) => mul(h, 0) }),
};
const plain: Control = { ...words, name: "plain", kind: "baseline", change: () => ({}) };
const dear: Control = { ...words, name: "dear", byName: true, change: () => ({ hidden: (h) => h }) };
const controls = [halved, learned, plain, dear, itself, narrow, blind];

function plan(asked: PlanRequest["controls"], extra: Partial<PlanRequest> = {}): Plan {
  return planRun({
    idea: exampleIdea({ controls }),
    preset: "quick",
    grid: { lr: [0.001] },
    controls: asked,
    ...extra,
  });
}

describe("the controls of a plan", () => {
  test("are none when none are asked for, all, or those named, in the order of the idea", () => {
    expect(plan(undefined).controls).toEqual([]);
    expect(plan(undefined).arms.map(({ name }) => name)).toEqual(["baseline", "idea"]);
    expect(plan("all").controls.map(({ name, kind }) => [name, kind])).toEqual([
      ["halved", "trained"],
      ["learned", "trained"],
      ["plain", "baseline"],
      ["itself", "evaluated"],
      ["narrow", "trained"],
      ["blind", "evaluated"],
    ]);
    const { arms } = plan(["narrow", "itself", "halved"]);
    expect(arms.slice(2)).toEqual(
      ["halved", "narrow"].map((control) => ({
        name: `control:${control}`,
        idea: { name: "example", options: exampleIdea().options, control },
        sweepSeeds: arms[0].sweepSeeds,
      })),
    );
  });

  test("an unknown name, an idea without any, and a change that the model has no place for are errors", () => {
    expect(() => plan(["halfed"])).toThrow(/E_IDEA: the idea example has no control 'halfed'; .*halved/);
    const none = exampleIdea();
    expect(plan(["dear", "halved"]).controls.map(({ name }) => name)).toEqual(["halved", "dear"]);
    expect(() => plan("all", { idea: none })).toThrow("E_IDEA: the idea example offers no controls");
    expect(() => plan(["halved"], { idea: none })).toThrow(/no control 'halved'; it offers none/);
    const odd = exampleIdea({ controls: [{ ...halved, change: () => ({ attention: (q) => q }) }] });
    expect(() => plan(["halved"], { idea: odd })).toThrow(
      /E_IDEA: the control halved of example changes the attention .*rnn_small/,
    );
  });
});

describe("a run with controls", () => {
  const run = runPlan(plan("all"));

  test("tunes and trains each as an arm of its own, on the idea's seeds and configurations", async () => {
    const { controls: records, ideaArm, cells, baselineControls } = await run;
    expect(records.map(({ control }) => control.name)).toEqual([
      "halved",
      "learned",
      "itself",
      "narrow",
      "blind",
    ]);
    expect(baselineControls.map(({ name }) => name)).toEqual(["plain"]);
    for (const { control, seeds, values, sweep } of records) {
      expect(seeds).toEqual(ideaArm.seeds);
      expect(values.every(Number.isFinite)).toBe(true);
      expect(sweep.map(({ cfg }) => cfg)).toEqual(control.kind === "trained" ? [{ lr: 0.001 }] : []);
      const own = cells.filter(({ arm }) => arm === `control:${control.name}`);
      expect(own.map(({ seed, metric }) => [seed, metric])).toEqual(
        seeds.map((seed, at) => [seed, values[at]]),
      );
    }
    const parametersOf = (arm: string) => cells.find((cell) => cell.arm === arm)!.parameters;
    expect(parametersOf("control:learned")).toBe(parametersOf("baseline") + 64 * 64 + 64);
    expect(parametersOf("control:narrow")).toBe(3 * 8 * (2 + 8 + 2) + 2 * 8 + 2);
  });

  test("scores evaluated ones on the idea's models: the idea's own change gives the idea's values", async () => {
    const { controls: records, ideaArm, baseline } = await run;
    const valuesOf = (name: string) => records.find(({ control }) => control.name === name)!.values;
    expect(valuesOf("itself")).toEqual(ideaArm.values);
    expect(valuesOf("blind")).not.toEqual(ideaArm.values);
    expect(valuesOf("halved")).not.toEqual(ideaArm.values);
    expect(baseline).toEqual((await runPlan(plan(undefined))).baseline);
  });
});

test("controls of a registered idea are stored, and serve the next run to the bit", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-controls-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const registered = { ...plan(["halved", "blind", "plain"]), registered: true };
  const executor = executorOf(registered, "inline");
  const first = await runPlan(registered, { store: openStore(folder), executor });
  let stored = 0;
  const second = await runPlan(registered, {
    store: openStore(folder),
    executor,
    onProgress: (progress) => (stored = progress.stored),
  });
  // Baseline, idea and halved are trained, the mechanism is measured and blind scored, on two seeds each.
  expect(stored).toBe(2 * 5);
  expect(second.controls).toEqual(first.controls);
});
