import { expect, test } from "vitest";
import { buildReport } from "../../../../src/bench/report/index.js";
import type { CellRecord } from "../../../../src/bench/record.js";
import { sampleRun } from "../sample-run.js";

const ratiosOf = (change: (cell: CellRecord) => Partial<CellRecord>) => {
  const run = sampleRun({ best: 1, ideaBest: 2 });
  const cells = run.cells.map((cell) => ({ ...cell, ...change(cell) }));
  return buildReport({ ...run, cells }).bench_report.cost;
};

const isFinal = ({ arm, cfg }: CellRecord): boolean => cfg.lr === (arm === "idea" ? 0.006 : 0.003);

test("the ratio is that of the means over the seeds of the final cells", () => {
  const cost = ratiosOf(({ arm, seed }) => ({
    parameters: arm === "idea" ? 30 : 20,
    steps: arm === "idea" ? 5 : 10,
    seconds: arm === "idea" ? 1 + seed : 2,
  }));
  expect(cost).toEqual({ parameters: 1.5, steps: 0.5, seconds: 4.5 / 2 });
});

test("a cell of another configuration than its arm's best does not count", () => {
  const cost = ratiosOf((cell) =>
    isFinal(cell) ? { seconds: 3 } : { seconds: 1000, steps: 1, parameters: 1 },
  );
  expect(cost).toEqual({ parameters: 13_000 / 12_994, steps: 1, seconds: 1 });
});

test("a cell of a seed that is not among the final ones does not count", () => {
  const run = sampleRun();
  const extra = run.cells
    .filter((cell) => cell.cfg.lr === 0.003 && cell.seed === 0)
    .map((cell) => ({
      ...cell,
      key: `${cell.key}-tuning`,
      seed: 99,
      seconds: cell.arm === "idea" ? 1e6 : 1,
    }));
  const { cost } = buildReport({ ...run, cells: [...run.cells, ...extra] }).bench_report;
  expect(cost.seconds).toBe(1);
});

test("there is no ratio without a cell or with a mean of 0", () => {
  expect(ratiosOf(({ arm }) => (arm === "baseline" ? { seconds: 0 } : {})).seconds).toBeNull();
  const run = sampleRun();
  const cells = run.cells.filter(({ arm }) => arm === "idea");
  expect(buildReport({ ...run, cells }).bench_report.cost).toEqual({
    parameters: null,
    steps: null,
    seconds: null,
  });
});

test("operations and memory have a ratio where cells have them, over those that do", () => {
  const cost = ratiosOf(({ arm, seed }) =>
    seed === 0 ? {} : { flops: arm === "idea" ? 300 : 200, memory: arm === "idea" ? 2048 : 1024 },
  );
  expect(cost).toMatchObject({ flops: 1.5, memory: 2 });
  expect(ratiosOf(({ arm }) => (arm === "idea" ? { flops: 1 } : {}))).toMatchObject({ flops: null });
  expect(ratiosOf(() => ({}))).not.toHaveProperty("flops");
});
