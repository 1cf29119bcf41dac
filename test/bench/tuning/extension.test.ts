import { expect, test } from "vitest";
import type { Config } from "../../../src/bench/record.js";
import { extensionOf, sweepConfigs, sweepHistory } from "../../../src/bench/tuning/index.js";

const tried = sweepConfigs({ rates: [0.001, 0.003, 0.01], options: {} });
const extension = (baseline: number, idea: number) =>
  extensionOf(tried, { baseline: { lr: baseline }, idea: { lr: idea } });

test("a best rate inside the grid asks for nothing", () => {
  expect(extension(0.003, 0.003)).toBeUndefined();
});

test("a best rate of either arm at an end extends the grid beyond it, once for both", () => {
  expect(extension(0.003, 0.01)).toEqual({ rates: [0.03], because: [{ arm: "idea", rate: 0.01 }] });
  expect(extension(0.01, 0.01)).toEqual({
    rates: [0.03],
    because: [
      { arm: "baseline", rate: 0.01 },
      { arm: "idea", rate: 0.01 },
    ],
  });
  expect(extension(0.01, 0.001)?.rates).toEqual([0.0003, 0.03]);
});

test("a single rate is both ends", () => {
  const single = sweepConfigs({ rates: [0.003], options: {} });
  const best = { baseline: { lr: 0.003 }, idea: { lr: 0.003 } };
  expect(extensionOf(single, best)?.rates).toEqual([0.001, 0.01]);
});

test("a best rate that goes on lying at an end extends the grid as often as the rule allows", () => {
  const highest = (_arm: string, configs: readonly Config[]): Config =>
    configs.reduce((best, cfg) => (cfg.lr > best.lr ? cfg : best));
  const grid = { rates: [0.001, 0.003], options: {} };
  expect(sweepHistory(grid, 0, highest).extensions).toEqual([]);
  const { sweep, extensions } = sweepHistory(grid, 2, highest);
  expect(extensions.map(({ rates }) => rates)).toEqual([[0.01], [0.03]]);
  expect(sweep.changed.map(({ lr }) => lr)).toEqual([0.001, 0.003, 0.01, 0.03]);
  expect(sweepHistory(grid, 2, () => undefined).extensions).toEqual([]);
});
