import fc from "fast-check";
import { expect, test } from "vitest";
import type { CellRecord, SweepRow } from "../../../src/bench/record.js";
import { armRecord, bestRow } from "../../../src/bench/run/selection.js";

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

test("an arm does not depend on the order in which its cells came in", () => {
  const grid = [{ lr: 0.1 }, { lr: 0.2 }];
  const seeds = [5, 3];
  const cells = grid.flatMap((cfg) =>
    seeds.map((seed): CellRecord => {
      const metric = cfg.lr * 10 + seed;
      return {
        key: "",
        arm: "idea",
        cfg,
        seed,
        status: "ok",
        metric,
        curve: [],
        parameters: 1,
        steps: 1,
        seconds: 1,
      };
    }),
  );
  fc.assert(
    fc.property(fc.shuffledSubarray(cells, { minLength: 4 }), (shuffled) => {
      expect(armRecord(shuffled, grid, seeds, seeds, "lower")).toEqual({
        sweep: [
          { cfg: { lr: 0.1 }, seeds, values: [6, 4] },
          { cfg: { lr: 0.2 }, seeds, values: [7, 5] },
        ],
        best: { lr: 0.1 },
        seeds,
        values: [6, 4],
      });
    }),
  );
});
