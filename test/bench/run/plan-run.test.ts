import { describe, expect, test } from "vitest";
import { sweepCells, type Plan } from "../../../src/bench/run/plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { exampleIdea } from "./example-idea.js";

const cellsOf = (plan: Plan) => sweepCells(plan, plan.sweep);

describe("the protocol of preset seed", () => {
  test("dynamics, as the report ran", () => {
    const plan = planRun({ idea: "moment-rank2", preset: "seed" });
    expect(plan).toMatchObject({
      track: { name: "dynamics" },
      model: { name: "rnn_small" },
      registered: true,
    });
    expect(plan.protocol).toEqual({
      preset: "seed",
      trainSize: 400,
      validationSize: 0,
      testSize: 400,
      epochs: 8,
      batchSize: 32,
      optimizer: "adam",
      selection: "test",
      rates: [0.001, 0.003, 0.006],
      grid: [{ lr: 0.001 }, { lr: 0.003 }, { lr: 0.006 }],
      gridOptions: {},
      mostExtensions: 0,
      seeds: [0, 1, 2, 3, 4, 5, 6, 7],
      sweepSeeds: { baseline: [0, 1, 2, 3, 4, 5, 6, 7], idea: [0, 1, 2, 3, 4, 5, 6, 7] },
      alpha: 0.05,
    });
    expect(cellsOf(plan)).toHaveLength(48);
    expect(new Set(cellsOf(plan).map(({ key }) => key)).size).toBe(48);
  });

  test("sequence, as the report ran", () => {
    const { protocol, track, model } = planRun({ idea: "residual-pivoted", preset: "seed" });
    expect([track.name, model.name]).toEqual(["sequence", "transformer_tiny"]);
    expect(protocol).toMatchObject({ trainSize: 200, testSize: 100, epochs: 3, batchSize: 32 });
    expect(protocol.grid).toEqual([{ lr: 0.001 }, { lr: 0.003 }, { lr: 0.01 }]);
  });
});

test("quick: 2 seeds, 1 epoch, 64 series", () => {
  const { protocol, preset } = planRun({ idea: "moment-rank2", preset: "quick" });
  expect(protocol).toMatchObject({ seeds: [0, 1], epochs: 1, trainSize: 64, testSize: 64 });
  expect(preset.verdict).toBe(false);
});

test("a baseline cell names no idea: ideas on one track and model share it", () => {
  const one = planRun({ idea: "moment-rank2" });
  const other = planRun({ idea: exampleIdea() });
  const keys = (plan: typeof one, arm: string) =>
    cellsOf(plan)
      .filter(({ spec }) => spec.arm === arm)
      .map(({ key }) => key);
  expect(keys(other, "baseline")).toEqual(keys(one, "baseline"));
  expect(keys(other, "idea")).not.toEqual(keys(one, "idea"));
  expect(other.registered).toBe(false);
});

test("options: defaults, values, and words of a command line", () => {
  const idea = exampleIdea();
  expect(planRun({ idea }).options).toEqual({ strength: 1, form: "B", loud: false });
  expect(planRun({ idea, options: { strength: "0.5", loud: "true", form: "7" } }).options).toEqual({
    strength: 0.5,
    form: "7",
    loud: true,
  });
});

test.each([
  [{ strenght: 1 }, /E_IDEA: the idea example has no option 'strenght'; did you mean 'strength'\?/],
  [{ strength: "much" }, /E_IDEA: the option 'strength' of example takes a finite number; found "much"/],
  [{ strength: "" }, /takes a finite number; found ""/],
  [{ strength: Infinity }, /takes a finite number/],
  [{ loud: "yes" }, /'loud' of example takes true or false; found "yes"/],
  [{ loud: 1 }, /takes true or false; found 1/],
  [{ form: 2 }, /takes a word; found 2/],
  [{ toString: 1 }, /has no option 'toString'/],
])("options %j are refused", (options, message) => {
  expect(() => planRun({ idea: exampleIdea(), options: options as never })).toThrow(message);
});

test.each([
  [{ idea: "moment-rank" }, /E_IDEA: no idea is called 'moment-rank'; did you mean 'moment-rank2'\?/],
  [
    { idea: "moment-rank2", track: "dynamic" },
    /E_TRACK: no track is called 'dynamic'; did you mean 'dynamics'\?/,
  ],
  [{ idea: "moment-rank2", model: "rnn" }, /E_TRACK: no model is called 'rnn'/],
  [{ idea: "moment-rank2", preset: "quik" }, /E_USAGE: no preset is called 'quik'; did you mean 'quick'\?/],
  [
    { idea: "moment-rank2", model: "transformer_tiny" },
    /E_IDEA: moment-rank2 changes the hidden .* transformer_tiny/,
  ],
  [
    { idea: "residual-pivoted", model: "rnn_small" },
    /E_IDEA: residual-pivoted changes the attention .* rnn_small/,
  ],
  [
    { idea: "moment-rank2", seeds: 3 },
    /E_PLAN: with 3 paired seeds .* 2\/2\^3 = 0.25.*at least 6 seeds.*'quick'/,
  ],
  [{ idea: "moment-rank2", seeds: [1, 2, 3, 4, 5] }, /E_PLAN: with 5 paired seeds/],
])("%j is refused", (request, message) => {
  expect(() => planRun(request)).toThrow(message);
});

test("quick takes few seeds, because it gives no verdict; seeds may be named", () => {
  expect(planRun({ idea: "moment-rank2", preset: "quick", seeds: 1 }).protocol.seeds).toEqual([0]);
  expect(planRun({ idea: "moment-rank2", seeds: [9, 8, 7, 6, 5, 4] }).protocol.seeds).toEqual([
    9, 8, 7, 6, 5, 4,
  ]);
});

test("an idea may be tried on another track that its model can read", () => {
  const plan = planRun({ idea: "moment-rank2", track: "sequence" });
  expect([plan.track.name, plan.model.name]).toEqual(["sequence", "rnn_small"]);
});

test("sizes may be changed one by one; each must be a whole number of at least 1", () => {
  const plan = planRun({ idea: "moment-rank2", sizes: { trainSize: 300, epochs: undefined } });
  expect(plan.protocol).toMatchObject({ trainSize: 300, validationSize: 500, testSize: 2000, epochs: 20 });
  expect(cellsOf(plan)[0].spec).toMatchObject({
    trainSize: 300,
    validationSize: 500,
    testSize: 0,
    epochs: 20,
  });
  expect(() => planRun({ idea: "moment-rank2", sizes: { epochs: 0 } })).toThrow(
    /E_PLAN: epochs must be .* found 0/,
  );
  expect(() => planRun({ idea: "moment-rank2", sizes: { testSize: 1.5 } })).toThrow(
    /E_PLAN: testSize .* found 1.5/,
  );
});

test("an idea that lacks a part is refused with all that it lacks", () => {
  const half = { ...exampleIdea(), title: "", measure: undefined as never };
  expect(() => planRun({ idea: half })).toThrow(
    'E_IDEA: the idea example is not well formed: title: expected a text, got the empty text ""; measure: expected a function, got undefined',
  );
});
