import { beforeAll, expect, test } from "vitest";
import type { CellSpec, TrainSpec } from "../../../src/bench/cells/spec.js";
import { inlineExecutor, type Executor } from "../../../src/bench/executors/index.js";
import type { RunRecord } from "../../../src/bench/record.js";
import { buildReport, verifyReport } from "../../../src/bench/report/index.js";
import { partialRun } from "../../../src/bench/run/partial-run.js";
import type { Plan } from "../../../src/bench/run/plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { memoryStore, type CellStore } from "../../../src/bench/store/index.js";
import { builtInIdeas } from "../../../src/ideas/index.js";

const sizes = { trainSize: 4, testSize: 4, epochs: 1 };
const tuned = planRun({
  idea: "moment-rank2",
  preset: "standard",
  seeds: 6,
  tuningSeeds: 1,
  grid: { lr: [0.001, 0.003] },
  sizes: { ...sizes, validationSize: 4 },
});
const plain = planRun({
  idea: "moment-rank2",
  preset: "quick",
  seeds: 3,
  grid: { lr: [0.001, 0.003] },
  sizes,
});

let executor: Executor;
const stores = new Map<Plan, CellStore>();
const wholes = new Map<Plan, RunRecord>();

beforeAll(async () => {
  executor = inlineExecutor(builtInIdeas);
  for (const plan of [tuned, plain]) {
    const store = memoryStore();
    stores.set(plan, store);
    wholes.set(plan, await runPlan(plan, { store, executor: inlineExecutor(builtInIdeas) }));
  }
});

/** The store of a finished run without the training cells that `isMissing`; writing to it is a fault. */
function storeWithout(plan: Plan, isMissing: (spec: TrainSpec) => boolean): CellStore {
  const store = stores.get(plan)!;
  return {
    location: store.location,
    read: (cell) =>
      (cell.spec as CellSpec).kind === "train" && isMissing(cell.spec as CellSpec as TrainSpec)
        ? undefined
        : store.read(cell),
    write: () => {
      throw new Error("a partial report stores nothing");
    },
  };
}

const values = (record: RunRecord): string =>
  JSON.stringify({ ...record, provenance: 0, protocol: { ...record.protocol, plannedSeeds: 0 } });

async function recordOf(plan: Plan, isMissing: (spec: TrainSpec) => boolean) {
  const made = await partialRun(plan, storeWithout(plan, isMissing), executor);
  if (made.kind !== "record") throw new Error("expected a record");
  return made;
}

test.each([
  ["standard", tuned],
  ["quick", plain],
])("when every cell is stored (%s), the record is that of the run, unmarked", async (_preset, plan) => {
  const { record, seeds, planned } = await recordOf(plan, () => false);
  expect(values(record)).toBe(values(wholes.get(plan)!));
  expect(record.protocol.plannedSeeds).toBeUndefined();
  expect(seeds).toBe(planned);
});

test("a final cell of either arm that is missing takes its seed out of both, and the rest is as it was", async () => {
  const missing = ({ evaluate, arm, seed }: TrainSpec): boolean =>
    evaluate === "test" && ((arm === "idea" && seed === 1) || (arm === "baseline" && seed === 4));
  const { record, seeds, planned } = await recordOf(tuned, missing);
  const whole = wholes.get(tuned)!;
  const left = [0, 2, 3, 5];
  expect([seeds, planned]).toEqual([4, 6]);
  expect(record.protocol).toEqual({ ...whole.protocol, seeds: left, plannedSeeds: 6 });
  for (const arm of ["baseline", "ideaArm"] as const) {
    expect(record[arm].sweep).toEqual(whole[arm].sweep);
    expect(record[arm].values).toEqual(left.map((seed) => whole[arm].values[seed]));
  }
  expect(record.signatures).toEqual(whole.signatures.filter(({ seed }) => left.includes(seed)));
});

test("where the final seeds tune as well, a missing cell takes its seed out of the sweep too", async () => {
  const { record } = await recordOf(plain, ({ cfg, seed }) => cfg.lr === 0.001 && seed === 2);
  const whole = wholes.get(plain)!;
  expect(record.protocol.seeds).toEqual([0, 1]);
  for (const [row, { values: kept }] of record.baseline.sweep.entries())
    expect(kept).toEqual(whole.baseline.sweep[row]!.values.slice(0, 2));
});

test("its report recomputes, and is capped as a look before the end, with no verdict of either profile", async () => {
  const { record } = await recordOf(tuned, ({ evaluate, seed }) => evaluate === "test" && seed === 0);
  const report = buildReport(record);
  expect(verifyReport(report).faults).toEqual([]);
  const { seed_v1: seed, strict } = report.bench_report.verdicts;
  expect(report.bench_report.protocol.planned_seeds).toBe(6);
  expect(strict.verdict).toBe("inconclusive");
  expect(strict.caps).toContainEqual({
    code: "partial",
    text: "a partial report: 5 of 6 planned seeds, looked at before the run had ended",
  });
  expect(seed).toMatchObject({ worked: false, rule: "a partial report gives no verdict" });
});

test("before the tuning is complete there is only how far it is", async () => {
  const missing = ({ evaluate, arm, cfg }: TrainSpec): boolean =>
    evaluate === "test" || (arm === "idea" && cfg.lr === 0.003);
  const made = await partialRun(tuned, storeWithout(tuned, missing), executor);
  const row = (arm: string, lr: number, stored: number) => ({ arm, cfg: { lr }, stored, planned: 1 });
  expect(made).toEqual({
    kind: "tuning",
    tuning: [
      row("baseline", 0.001, 1),
      row("baseline", 0.003, 1),
      row("idea", 0.001, 1),
      row("idea", 0.003, 0),
    ],
  });
});

test("before any seed is complete there is only how far it is", async () => {
  const made = await partialRun(
    plain,
    storeWithout(plain, ({ arm }) => arm === "idea"),
    executor,
  );
  expect(made.kind).toBe("tuning");
  if (made.kind === "tuning")
    expect(made.tuning.map(({ stored, planned }) => [stored, planned])).toEqual([
      [3, 3],
      [3, 3],
      [0, 3],
      [0, 3],
    ]);
});

test("what is stored and does not fit is an error, not a missing cell", async () => {
  const broken: CellStore = {
    ...storeWithout(tuned, () => false),
    read: () => {
      throw new Error("no such disk");
    },
  };
  await expect(partialRun(tuned, broken, executor)).rejects.toThrow("no such disk");
});
