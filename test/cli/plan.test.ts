import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand } from "./command.js";
import { inProcess } from "./recording-terminal.js";

const small = ["--train", "8", "--validation", "4", "--test", "4", "--epochs", "1", "--tuning-seeds", "2"];
const sizes = [...small, "--seeds", "6"];

test("bench plan says what a run will do and cost and can find, where each setting comes from, and writes nothing", async () => {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "gradstand.config.json"), '{ "grid": { "lr": [0.001, 0.003] } }');
  const env = { GRADSTAND_SEEDS: "7" };
  const { code, out } = await gradstand(
    ["bench", "plan", "moment-rank2", ...small, "--jobs", "2"],
    folder,
    env,
  );
  expect(code).toBe(0);
  expect(out).toMatch(/dynamics with rnn_small, preset standard: 8 train, 4 validation, 4 test, 1 epoch\n/);
  expect(out).toMatch(/seeds +7 paired, 2 tuning seeds apart from them, chosen on the validation part/);
  expect(out).toMatch(
    /grid +lr 0\.001 0\.003: 2 configurations for the baseline, 2 for the idea; .* by up to 16 cells/,
  );
  expect(out).toMatch(/cells +29, 0 of them stored/);
  expect(out).toMatch(/tuning baseline +4, 0 stored, .* each \(a trial on this machine\)/);
  expect(out).toMatch(/cost +about .*, with every extension .*; 2 workers/);
  expect(out).toMatch(
    /standard deviations of the paired differences \(dz\), 80 times in 100; no stored pairs/,
  );
  expect(out).toMatch(/smallest attainable p 0\.015625 \(α 0\.05\)/);
  expect(out).toMatch(/seeds +7 \(GRADSTAND_SEEDS\)\n/);
  expect(out).toMatch(/train +8 \(--train\)\n/);
  expect(out).toMatch(/grid +lr=0\.001,0\.003 \(gradstand\.config\.json\)\n/);
  expect(filesBelow(folder)).toEqual(["gradstand.config.json"]);
});

test("after a run its cells are stored and tell the cost; the plan is one JSON document with --json", async () => {
  const folder = emptyFolder();
  const places = ["--store", path.join(folder, "cells"), "--out", path.join(folder, "report")];
  const words = ["moment-rank2", ...sizes, ...places];
  const run = await inProcess(["bench", "run", ...words]);
  expect([run.code, run.err]).toEqual([0, expect.stringContaining("tuning on the validation part")]);
  const { code, out } = await inProcess(["bench", "plan", ...words, "--json"]);
  expect(code).toBe(0);
  const { command, plans, settings } = JSON.parse(out) as {
    command: string;
    settings: { name: string }[];
    plans: { forecast: { cells: number; stored: number; effect: object } }[];
  };
  expect([command, settings.length, plans.length]).toEqual(["bench plan", 8, 1]);
  const { forecast } = plans[0]!;
  expect(forecast.stored).toBe(forecast.cells);
  expect(forecast).toMatchObject({ seconds: 0, effect: { inUnits: { storedPairs: 6, scoredOn: "test" } } });
  const report = path.join(folder, "report", "bench_report.json");
  expect((await inProcess(["bench", "verify", report])).code).toBe(0);
});

test.each([
  [["moment-rank2", "--seeds", "5"], /E_PLAN: with 5 paired seeds .* not below 0\.05.*at least 6 seeds/],
  [
    ["moment-rank2", "residual-pivoted", "--seeds", "6"],
    /E_PLAN: with 6 paired seeds in a family of 2 comparisons .* 2·2\/2\^6 = 0\.0625.*at least 7 seeds/,
  ],
  [["moment-rank2", "--grid", "rnk=2"], /E_PLAN: a grid cannot span 'rnk'.*did you mean 'rank'\?/],
  [["moment-rank2", "--grid", "lr=much"], /E_USAGE: --grid: expected numbers/],
  [["moment-rank2", "--preset", "seed", "--validation", "9"], /E_PLAN: validationSize is 9, but this preset/],
  [["moment-rank2", "--preset", "seed", "--tuning-seeds", "2"], /E_PLAN: tuning seeds are given, but/],
])("%j is refused by plan and by run, with exit code 2", async (words, message) => {
  const store = path.join(emptyFolder(), "cells");
  for (const command of ["plan", "run"]) {
    const { code, err } = await inProcess(["bench", command, ...words, "--store", store]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(fs.existsSync(store)).toBe(false);
  }
});
