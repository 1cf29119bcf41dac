import { describe, expect, test } from "vitest";
import {
  buildReport,
  parseReport,
  reportPage,
  reportView,
  serializeReport,
  verifyReport,
} from "../../../src/bench/report/index.js";
import { withValueAt } from "../../../src/bench/report/path.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { mean } from "../../../src/stats/index.js";
import { sampleRun } from "../report/sample-run.js";

const quick = { preset: "quick", sizes: { trainSize: 16, testSize: 24, epochs: 1 } } as const;

describe("accuracy on recall", async () => {
  const record = await runPlan(planRun({ ...quick, idea: "residual-pivoted", track: "recall" }), {
    executor: "inline",
  });
  const report = buildReport(record);
  const bench = report.bench_report;

  test("is chosen by its highest mean, and compared with the floors that way", () => {
    expect([record.metric, record.direction]).toEqual(["accuracy", "higher"]);
    const means = record.baseline.sweep.map(({ values }) => mean(values));
    expect(new Set(means).size).toBeGreaterThan(1);
    expect(mean(record.baseline.values)).toBe(Math.max(...means));
    for (const { mean: floor, beaten } of bench.floors) expect(beaten).toBe(bench.baseline.full.mean > floor);
    expect(bench.floors.some(({ beaten }) => !beaten)).toBe(true);
    expect(bench.informative).toBe(false);
  });

  test("the report says so and holds; the other direction does not", () => {
    expect([bench.metric, bench.metric_direction]).toEqual(["accuracy", "higher is better"]);
    expect(verifyReport(parseReport(serializeReport(report), "report.json")).faults).toEqual([]);
    const turned = withValueAt(report, "bench_report.metric_direction", "lower is better");
    expect(verifyReport(turned).faults.map(({ path }) => path)).toEqual(["bench_report.metric_direction"]);
    expect(reportPage(reportView(report, "report.json"))).toContain("mean test accuracy (higher is better)");
  });
});

test("moments on field: the figures beside the metric reach the report, which holds", async () => {
  const record = await runPlan(
    planRun({
      ...quick,
      sizes: { trainSize: 16, testSize: 4, epochs: 1 },
      idea: "moment-rank2",
      track: "field",
      seeds: 1,
      grid: { lr: [0.01] },
    }),
    {
      executor: "inline",
    },
  );
  const report = buildReport(record);
  const further = report.bench_report.further_metrics!;
  expect(further.map(({ name }) => name)).toEqual([
    "mass drift",
    "momentum 1 drift",
    "momentum 2 drift",
    "energy drift",
  ]);
  for (const { baseline, idea } of further)
    for (const value of [...baseline.per_seed, ...idea.per_seed]) expect(value).toBeGreaterThan(0);
  expect(verifyReport(parseReport(serializeReport(report), "report.json")).faults).toEqual([]);
});

test("a preset without a protocol for the track is refused with those that have one", () => {
  for (const track of ["field", "recall"])
    expect(() => planRun({ idea: "residual-pivoted", track, preset: "seed" })).toThrow(
      `E_PLAN: the preset 'seed' has no protocol for the track ${track}, only for dynamics and sequence. ` +
        "Choose --preset standard or --preset quick",
    );
});

test("both verdicts read a gain from the direction: the same values mirrored are judged alike", () => {
  const baseline = [0.5, 0.52, 0.48, 0.51, 0.49, 0.53, 0.47, 0.5];
  const gains = [0.1, 0.12, 0.09, 0.11, 0.1, 0.13, 0.08, 0.1];
  const judged = (direction: "lower" | "higher", sign: 1 | -1) => {
    const idea = baseline.map((value, at) => value + (direction === "lower" ? -sign : sign) * gains[at]!);
    return buildReport(sampleRun({ baseline, idea, direction, selection: "validation" })).bench_report;
  };
  for (const direction of ["lower", "higher"] as const) {
    const [gain, loss] = [judged(direction, 1), judged(direction, -1)];
    expect(gain.verdicts.strict.verdict).toBe("worked");
    expect(gain.verdicts.seed_v1.practical_verdict).toBe("worked");
    expect(gain.comparison.idea_wins).toBe(8);
    expect(gain.statistics.improvement.probability).toBe(1);
    expect(loss.verdicts.strict.verdict).toBe("harmful");
    expect(loss.verdicts.seed_v1.practical_verdict).toBe("harmful");
    expect(loss.comparison.idea_wins).toBe(0);
    expect(loss.statistics.improvement.probability).toBe(0);
  }
});
