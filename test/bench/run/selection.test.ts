import { expect, test } from "vitest";
import type { SweepRow } from "../../../src/bench/record.js";
import { armRecord, bestRow, sweepRows } from "../../../src/bench/run/selection.js";

const row = (lr: number, ...values: number[]): SweepRow => ({
  cfg: { lr },
  seeds: values.map((_, i) => i),
  values,
});

test("the lowest mean wins where lower is better, the highest where higher is", () => {
  const rows = [row(0.1, 3, 1), row(0.2, 1, 1), row(0.3, 2, 9)];
  expect(bestRow(rows, [0, 1], "lower").cfg.lr).toBe(0.2);
  expect(bestRow(rows, [0, 1], "higher").cfg.lr).toBe(0.3);
});

test("only the sweep seeds count", () => {
  const rows = [row(0.1, 1, 100), row(0.2, 2, 2)];
  expect(bestRow(rows, [0], "lower").cfg.lr).toBe(0.1);
  expect(bestRow(rows, [0, 1], "lower").cfg.lr).toBe(0.2);
});

test("the first of two equal rows wins, and a diverged cell loses", () => {
  expect(bestRow([row(0.1, 1, 1), row(0.2, 1, 1)], [0, 1], "lower").cfg.lr).toBe(0.1);
  expect(bestRow([row(0.1, Infinity, 0), row(0.2, 9, 9)], [0, 1], "lower").cfg.lr).toBe(0.2);
  expect(bestRow([row(0.1, -Infinity, 1), row(0.2, 0, 0)], [0, 1], "higher").cfg.lr).toBe(0.2);
});

test("an arm has its sweep in the order of the configurations and seeds, and the final values of the best one", () => {
  const grid = [{ lr: 0.1 }, { lr: 0.2 }];
  const metric = (cfg: { lr: number }, seed: number): number => cfg.lr * 10 + seed;
  const sweep = sweepRows(grid, [5, 3], metric);
  expect(sweep).toEqual([
    { cfg: { lr: 0.1 }, seeds: [5, 3], values: [6, 4] },
    { cfg: { lr: 0.2 }, seeds: [5, 3], values: [7, 5] },
  ]);
  expect(armRecord(sweep, grid[1], [0, 1], metric)).toEqual({
    sweep,
    best: { lr: 0.2 },
    seeds: [0, 1],
    values: [2, 3],
  });
});
