import { beforeAll, expect, test } from "vitest";
import { buildModel } from "../../../src/bench/cells/build-model.js";
import { evaluate } from "../../../src/bench/cells/evaluate.js";
import { parseCanonicalJson } from "../../../src/bench/cells/canonical.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";
import { dataOf } from "../../../src/bench/cells/track-data.js";
import type { RunRecord } from "../../../src/bench/record.js";
import { finalModels, type SavedModel } from "../../../src/bench/run/final-models.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { memoryStore } from "../../../src/bench/store/index.js";
import { builtInIdeas } from "../../../src/ideas/index.js";
import { decodeSafetensors } from "../../../src/nn/index.js";

const plan = planRun({
  idea: "moment-rank2",
  preset: "quick",
  grid: { lr: [0.001, 0.003] },
  sizes: { trainSize: 8, testSize: 4 },
  controls: ["bottleneck"],
});
const store = memoryStore();
let record: RunRecord;
let models: readonly SavedModel[];

beforeAll(async () => {
  record = await runPlan(plan, { store, executor: "inline" });
  models = [
    ...finalModels(
      plan,
      {
        baseline: record.baseline.best,
        idea: record.ideaArm.best,
        "control:bottleneck": record.controls[0]!.best,
      },
      record.protocol.seeds,
      store,
    ),
  ];
});

test("the final models of every arm are there, a file a seed", () => {
  const names = ["baseline", "idea", "control-bottleneck"].flatMap((arm) =>
    [0, 1].map((seed) => `${arm}-seed-${seed}.safetensors`),
  );
  expect(models.map(({ name }) => name)).toEqual(names);
});

test("a model that is loaded from its file scores what the report says, to the bit", () => {
  for (const { bytes } of models) {
    const { state, metadata } = decodeSafetensors(bytes);
    const spec = parseCanonicalJson(metadata.cell!) as unknown as TrainSpec;
    const cell = record.cells.find(({ key }) => key === metadata.key)!;
    expect(cell).toMatchObject({ arm: spec.arm, seed: spec.seed });
    const { track, data } = dataOf(spec);
    const model = buildModel(spec, builtInIdeas);
    const untrained = evaluate(model, data.test, track);
    model.module.loadStateDict(state);
    expect(evaluate(model, data.test, track)).toBe(cell.metric);
    expect(untrained).not.toBe(cell.metric);
  }
});

test("a store that no longer has a cell is E_STORE with the model that is missing", () => {
  const best = { baseline: record.baseline.best, idea: record.ideaArm.best };
  expect(() => [...finalModels(plan, best, plan.protocol.seeds, memoryStore())]).toThrow(
    /E_STORE: the model of baseline, seed 0, is not in the store memory/,
  );
});
