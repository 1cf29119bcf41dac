import { describe, expect, test } from "vitest";
import { GradstandError } from "../../../src/errors/index.js";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import { buildReport, parseReport, serializeReport, verifyReport } from "../../../src/bench/report/index.js";
import { valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { mutationsOf } from "./mutations.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";

const costly = recomputation();
const report = buildReport(sampleRun({ baseline: firstValues.slice(0, 6), idea: secondValues.slice(0, 6) }));

/** Cells and seeds are alike: the first and the last of each stand for the others. */
const alike = /(cells\[(?!0\]|35\])|mechanism\[(?!0\]|5\])|digests\.)/;

/** What follows from other values of the report, and the values that it follows from. */
const derivable = [
  /^(worked|confidence|system_verdict|practical_verdict|mechanism_ok|system_judged)$/,
  /\.(mean|std|n|n_seeds|metric_direction|informative|beaten|passed|metric)$/,
  /per_seed\[\d+\]$|best_cfg/,
  /\.(comparison|statistics|cost)\./,
  /tuning\.(equal|baseline|idea)/,
  /verdicts\.\w+\.(worked|comparison_verdict|system_verdict|practical_verdict|mechanism_ok|verdict|mechanism_stands|needed_seeds)$/,
  /mechanism\[\d\]\.(confirmed|claims\[\d\]\.(held|control\.refuted))$/,
  /mechanism_signature\.confirmed$/,
];

interface Outcome {
  readonly path: string;
  readonly named: readonly string[];
  readonly doubts: number;
}

const outcomes = mutationsOf(report)
  .filter(({ path }) => !alike.test(path))
  .map(({ path, report: altered }): Outcome => {
    try {
      const { faults } = verifyReport(parseReport(serializeReport(altered), "report.json"), costly);
      return {
        path,
        named: faults.map((fault) => fault.path),
        doubts: faults.flatMap((fault) => fault.alternatives ?? []).length,
      };
    } catch (error) {
      if (error instanceof GradstandError && error.code === "E_REPORT")
        return { path, named: [path], doubts: 0 };
      throw error;
    }
  });

describe("each value of one's own report altered by hand", () => {
  test("is noticed: nothing at all is taken on trust", () => {
    expect(outcomes.filter(({ named }) => named.length === 0).map(({ path }) => path)).toEqual([]);
    expect(outcomes.length).toBeGreaterThan(350);
  });

  test("is named by its own path and alone, when it is derivable or a value of a seed", () => {
    const figures = outcomes.filter(
      ({ path }) => derivable.some((pattern) => pattern.test(path)) && !path.endsWith(".seed"),
    );
    const wrong = figures.filter(({ path, named, doubts }) => named.join() !== path || doubts > 0);
    expect(wrong.map(({ path, named }) => `${path} → ${named.join()}`)).toEqual([]);
    expect(figures.length).toBeGreaterThan(150);
  });

  test("is named by its section alone, when nothing else tells", () => {
    for (const { path, named } of outcomes) {
      expect(named).toHaveLength(1);
      expect(path.startsWith(named[0]) || /protocol\.(seeds|epochs|n_)/.test(path)).toBe(true);
    }
  });
});

test("a figure that does not belong into the report is named", () => {
  const { strict } = report.bench_report.verdicts;
  expect(strict).toHaveProperty("needed_seeds");
  const worked = buildReport(
    sampleRun({ selection: "validation", idea: firstValues.map((value) => value / 2) }),
  );
  const path = "bench_report.verdicts.strict.needed_seeds";
  expect(valueAt(worked, path)).toBeUndefined();
  expect(verifyReport(withValueAt(worked, path, 9)).faults).toMatchObject([{ path, reported: 9 }]);
});

test("the cells give back an altered value to the last bit", () => {
  const values = firstValues.map((value, at) => value * (1 + at / 977));
  const exact = buildReport(sampleRun({ baseline: values, best: 0 }));
  for (const path of [
    "bench_report.baseline.full.per_seed[3]",
    "bench_report.baseline.sweep[0].per_seed[5]",
  ]) {
    const implied = valueAt(exact, path);
    const altered = withValueAt(exact, path, Number(implied) * 1.01);
    const { faults, repaired } = verifyReport(altered);
    expect(faults).toMatchObject([{ path, implied }]);
    expect(repaired).toEqual(exact);
  }
});
