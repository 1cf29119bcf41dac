import { expect, test } from "vitest";
import { mul } from "../../../src/autograd/index.js";
import type { RunRecord } from "../../../src/bench/record.js";
import { digestsOf } from "../../../src/bench/report/digests.js";
import {
  buildReport,
  parseReport,
  serializeReport,
  verifyReport,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import type { Json } from "../../../src/ideas/index.js";
import { exampleIdea } from "../run/example-idea.js";

const halved = exampleIdea({
  change: () => ({ hidden: (hidden) => mul(hidden, 0.5) }),
  summarize: (checks) => ({
    mechanism: { predicted: "> 0", observed: 1, confirmed: true },
    mathematics: { passed: checks.every(({ passed }) => passed) },
    confirmed: true,
  }),
});
const sizes = { trainSize: 4, validationSize: 3, testSize: 3, epochs: 1 };
const request = { idea: halved, preset: "standard", seeds: 6, tuningSeeds: 2, sizes };

/** So few steps that the highest rate is the best one: the grid is extended twice, and the choice stays at its end. */
const record = await runPlan(planRun({ ...request, grid: { lr: [0.001, 0.003], strength: [1, 2] } }));
const report = buildReport(record);
const bench = report.bench_report;

const reread = (one: ReportV2) => parseReport(serializeReport(one), "report.json");

/** The paths that a verification names when a value is altered and the digests made anew. */
function named(path: string, change: (value: Json) => Json): string[] {
  const altered = withValueAt(report, path, change(valueAt(report, path)!));
  const { bench_report: inner, ...statement } = altered;
  const forged = {
    ...statement,
    bench_report: { ...inner, digests: digestsOf(statement, inner) },
  } as ReportV2;
  return verifyReport(reread(forged)).faults.map((fault) => fault.path);
}

test("the report of a standard run holds and says how it was tuned", () => {
  expect(verifyReport(reread(report))).toMatchObject({ holds: true, faults: [] });
  expect(bench.protocol).toMatchObject({
    preset: "standard",
    n_validation: 3,
    rates: [0.001, 0.003],
    grid_options: { strength: [1, 2] },
    most_extensions: 2,
  });
  const { selection, baseline, idea, extensions, equal } = bench.tuning;
  expect({ selection, equal }).toEqual({ selection: "validation", equal: true });
  expect(extensions).toHaveLength(2);
  expect(extensions![0]!.rates).toEqual([0.01]);
  expect([baseline.configurations, idea.configurations, baseline.cells, idea.cells]).toEqual([8, 8, 16, 16]);
  expect(baseline.seeds).toEqual(["1000000", "1000001"]);
  for (const row of [...bench.baseline.sweep, ...bench.idea.sweep]) expect(row).toMatchObject({ n: 2 });
  expect(report.metrics.idea).toMatch(
    /best lr=[\d.]+ strength=[12]; .*on the validation part: lr=0.001 strength=1 /,
  );
});

test("no configuration was chosen on the test part, and a best rate at the end is a cap", () => {
  expect(bench.verdicts.strict.caps.map(({ code }) => code)).toContain("grid-edge");
  expect(bench.verdicts.strict.caps.map(({ code }) => code)).not.toContain("test-selection");
  expect(bench.verdicts.strict.caps.map(({ code }) => code)).not.toContain("unequal-tuning");
  expect(report.limitations).toContain("at an end of the grid even after 2 of its extensions");
});

test("a sweep that is not what the protocol asks for is named", () => {
  expect(named("bench_report.tuning.selection", () => "test")).toEqual(["bench_report.tuning.selection"]);
  expect(named("bench_report.tuning.extensions[1].rates[0]", () => 0.02)).toEqual([
    "bench_report.tuning.extensions[1].rates[0]",
  ]);
  expect(named("bench_report.tuning.extensions", () => [])[0]).toMatch(/^bench_report\.tuning\.extensions/);
  expect(named("bench_report.protocol.most_extensions", () => 1).join()).toMatch(
    /sweep\.length|most_extensions/,
  );
  expect(named("bench_report.protocol.rates[0]", () => 0.002)).toEqual(["bench_report.protocol.rates[0]"]);
  expect(named("bench_report.protocol.grid[1].lr", () => 0.002)).toEqual([
    "bench_report.protocol.grid[1].lr",
  ]);
  const withoutRow = named("bench_report.baseline.sweep", (rows) => (rows as Json[]).slice(0, -1));
  expect(withoutRow.join()).toContain("bench_report.baseline.sweep.length");
});

test("tuning cells that were evaluated on the test part make the selection one on test", () => {
  const cells = record.cells.map((cell) => ({ ...cell, evaluated: "test" as const }));
  const { tuning, verdicts } = buildReport({ ...record, cells }).bench_report;
  expect(tuning.selection).toBe("test");
  expect(verdicts.strict.caps.map(({ code }) => code)).toContain("test-selection");
});

test("a final value behind which only a validation cell stands is named", () => {
  const cells = record.cells.map((cell) => ({ ...cell, evaluated: "validation" as const }));
  const { faults } = verifyReport(buildReport({ ...record, cells }));
  expect(faults.map(({ why }) => why).join()).toContain(
    "no cell stands behind bench_report.baseline.full.per_seed[0]",
  );
});

test("an arm that tried fewer configurations is capped as tuned unequally", () => {
  const fewer: RunRecord = {
    ...record,
    ideaArm: { ...record.ideaArm, sweep: record.ideaArm.sweep.slice(2) },
  };
  const { tuning, verdicts } = buildReport(fewer).bench_report;
  expect(tuning).toMatchObject({
    equal: false,
    inequalities: ["other configurations (8 for the baseline, 6 for the idea)"],
  });
  expect(verdicts.strict.caps.map(({ code }) => code)).toContain("unequal-tuning");
});
