import { expect, test } from "vitest";
import { mul } from "../../src/autograd/index.js";
import { forecastRun, type RunForecast } from "../../src/bench/planning/index.js";
import { planRun } from "../../src/bench/run/plan-run.js";
import { sweepCells, type Plan } from "../../src/bench/run/plan.js";
import { runPlan } from "../../src/bench/run/run-plan.js";
import { memoryStore, type CellStore } from "../../src/bench/store/index.js";
import { detectableEffect, mean, sampleStd } from "../../src/stats/index.js";
import { exampleIdea } from "./run/example-idea.js";

const idea = exampleIdea({ change: () => ({ hidden: (hidden) => mul(hidden, 0.5) }) });
const sizes = { trainSize: 4, validationSize: 3, testSize: 3, epochs: 1 };
const small = (seeds = 6, preset = "standard"): Plan =>
  planRun({
    idea,
    preset,
    seeds,
    ...(preset === "standard" ? { tuningSeeds: 2, sizes } : {}),
    grid: { lr: [0.001, 0.003] },
  });

const shares = ({ shares: all }: RunForecast) =>
  all.map(({ phase, arm, cells, stored }) => `${phase} ${arm} ${stored}/${cells}`);

/** A finished run whose every cell is stored, though its idea is none of the package. */
async function finished(plan: Plan): Promise<CellStore> {
  const store = memoryStore();
  const record = await runPlan({ ...plan, registered: true }, { store, executor: "inline" });
  expect(record.extensions).toHaveLength(2);
  return store;
}

test("with nothing stored: the cells of every phase, their time from a trial, the effect in deviations", () => {
  const forecast = forecastRun(small(), memoryStore(), 2);
  expect(shares(forecast)).toEqual([
    "tuning baseline 0/4",
    "tuning idea 0/4",
    "final baseline 0/6",
    "final idea 0/6",
    "mechanism idea 0/6",
  ]);
  expect(forecast).toMatchObject({ cells: 26, stored: 0, mostExtensionCells: 2 * 2 * 2 * 2 });
  for (const { from, secondsEach } of forecast.shares) {
    expect(from).toBe("a trial on this machine");
    expect(secondsEach).toBeGreaterThan(0);
  }
  const total = forecast.shares.reduce((sum, { cells, secondsEach }) => sum + cells * secondsEach, 0);
  expect(forecast.seconds).toBeCloseTo(total / 2, 12);
  expect(forecast.mostSeconds).toBeGreaterThan(forecast.seconds);
  expect(forecast.effect).toEqual({
    pairs: 6,
    alpha: 0.05,
    power: 0.8,
    smallestP: 2 / 64,
    dz: detectableEffect({ n: 6, alpha: 0.05, power: 0.8 }),
  });
});

test("where the final models rank the configurations they are counted once", () => {
  const forecast = forecastRun(small(2, "quick"), memoryStore(), 1);
  expect(shares(forecast)).toEqual(["training baseline 0/4", "training idea 0/4", "mechanism idea 0/2"]);
  expect(forecast.mostExtensionCells).toBe(0);
});

test("what is stored is followed as the run would, and tells the time and the spread", async () => {
  const plan = small();
  const store = await finished(plan);
  const all = forecastRun(plan, store, 2);
  expect(shares(all)).toEqual([
    "tuning baseline 8/8",
    "tuning idea 8/8",
    "final baseline 6/6",
    "final idea 6/6",
    "mechanism idea 6/6",
  ]);
  expect(all).toMatchObject({ stored: 34, mostExtensionCells: 0, seconds: 0, mostSeconds: 0 });
  for (const { from } of all.shares) expect(from).toBe("stored cells");

  const record = await runPlan({ ...plan, registered: true }, { store, executor: "inline" });
  const differences = record.ideaArm.values.map((value, at) => value - record.baseline.values[at]!);
  const difference = all.effect.dz! * sampleStd(differences);
  expect(all.effect.inUnits).toMatchObject({ storedPairs: 6, scoredOn: "test" });
  expect(all.effect.inUnits!.difference).toBeCloseTo(difference, 12);
  expect(all.effect.inUnits!.percent).toBeCloseTo((100 * difference) / mean(record.baseline.values), 9);

  const more = forecastRun(small(8), store, 2);
  expect(shares(more).slice(2)).toEqual(["final baseline 6/8", "final idea 6/8", "mechanism idea 6/8"]);
  expect(more.seconds).toBeGreaterThan(0);
});

test("a part of the sweep tells neither the final cells nor the spread", async () => {
  const plan = small();
  const whole = await finished(plan);
  const [first] = sweepCells(plan, plan.sweep);
  const part = memoryStore();
  part.write(first!, whole.read(first!)!);
  const forecast = forecastRun(plan, part, 1);
  expect(shares(forecast).slice(0, 3)).toEqual([
    "tuning baseline 1/4",
    "tuning idea 0/4",
    "final baseline 0/6",
  ]);
  expect(forecast.shares.map(({ from }) => from)).toEqual([
    "stored cells",
    "a trial on this machine",
    "stored cells",
    "a trial on this machine",
    "a trial on this machine",
  ]);
  expect(forecast.effect.inUnits).toBeUndefined();
});

test("final cells that are not there yet leave the tuning pairs to tell the spread", async () => {
  const plan = small();
  const whole = await finished(plan);
  const tuned: Pick<CellStore, "read"> = {
    read: (cell) =>
      cell.spec.kind === "train" && cell.spec.evaluate === "validation" ? whole.read(cell) : undefined,
  };
  expect(forecastRun(plan, tuned, 1).effect.inUnits).toMatchObject({
    storedPairs: 2,
    scoredOn: "validation",
  });
});
