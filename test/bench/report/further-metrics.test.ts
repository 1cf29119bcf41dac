import { describe, expect, test } from "vitest";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import {
  buildReport,
  cellsCsv,
  parseReport,
  reportMarkdown,
  reportPage,
  reportView,
  serializeReport,
  verifyReport,
} from "../../../src/bench/report/index.js";
import { leavesOf, valueAt, withValueAt } from "../../../src/bench/report/path.js";
import type { FurtherMetric } from "../../../src/bench/tracks/index.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";

const further: readonly FurtherMetric[] = [
  { name: "mass drift", unit: "", direction: "lower", description: "how far the mass drifts" },
  { name: "recall at 5", unit: "%", direction: "higher", description: "the higher the better" },
];
const costly = recomputation();
const sample = { baseline: firstValues.slice(0, 6), idea: secondValues.slice(0, 6), further };
const run = sampleRun(sample);
const report = buildReport(run, costly);
const section = "bench_report.further_metrics";

test("each figure of the final cells: means, deviations, pairs in the figure's own direction", () => {
  const [mass, recalled] = report.bench_report.further_metrics!;
  const values = (arm: "baseline" | "idea", name: string): number[] =>
    run.cells.filter((cell) => cell.arm === arm && cell.cfg.lr === 0.003).map((cell) => cell.further![name]!);
  expect(mass!.baseline.per_seed).toEqual(values("baseline", "mass drift"));
  expect(mass!.idea.per_seed).toEqual(values("idea", "mass drift"));
  expect(mass!.idea.mean).toBeCloseTo(0.3 + 1 / 7 + 55 / 6 / 90, 14);
  expect(mass!.comparison.delta_mean).toBeCloseTo(-0.1, 14);
  expect([mass!.direction, mass!.comparison.idea_wins]).toEqual(["lower is better", 6]);
  expect([recalled!.direction, recalled!.comparison.idea_wins]).toEqual(["higher is better", 0]);
  // all six differences have one sign: 2 of 2⁶ patterns
  expect(mass!.comparison.p_value).toBe(2 / 64);
});

test("a track without them leaves the report as it was", () => {
  const without = buildReport(sampleRun({ ...sample, further: undefined }), costly).bench_report;
  expect(Object.keys(without)).toEqual(
    Object.keys(report.bench_report).filter((key) => key !== "further_metrics"),
  );
});

test("the report holds, and so does one with a diverged seed, whose figures are no numbers", () => {
  const read = (written: typeof report) => parseReport(serializeReport(written), "report.json");
  expect(verifyReport(read(report), costly).faults).toEqual([]);
  const lost = buildReport(sampleRun({ ...sample, idea: [Infinity, ...secondValues.slice(1, 6)] }), costly);
  const { idea, comparison } = lost.bench_report.further_metrics![0]!;
  expect([idea.per_seed[0], idea.mean, comparison.p_value]).toEqual([NaN, NaN, NaN]);
  expect(verifyReport(read(lost), costly).faults).toEqual([]);
});

describe("each value altered by hand", () => {
  const finalFurther = report.bench_report.cells.flatMap(({ cfg }, at) =>
    cfg.lr === 0.003 ? [`bench_report.cells[${at}].further["mass drift"]`] : [],
  );
  const figures = leavesOf(report.bench_report.further_metrics![0], `${section}[0]`).filter(
    ([path, value]) => typeof value === "number" && !/per_seed(_diffs)?\[[1-4]\]/.test(path),
  );

  test.each([...figures.map(([path]) => path), ...finalFurther.slice(0, 2)])("%s is named", (path) => {
    const altered = withValueAt(report, path, Number(valueAt(report, path)) + 1);
    const { faults } = verifyReport(parseReport(serializeReport(altered), "report.json"), costly);
    expect(faults.map((fault) => fault.path)).toEqual([path]);
  });

  test.each(["name", "unit", "description", "direction"])("the %s is noticed", (key) => {
    const path = `${section}[0].${key}`;
    const other = key === "direction" ? "higher is better" : "another";
    const { faults } = verifyReport(withValueAt(report, path, other), costly);
    expect(faults).toHaveLength(1);
    expect(path.startsWith(faults[0]!.path)).toBe(true);
  });
});

test("page, Markdown and CSV show them", () => {
  const view = reportView(report, "report.json");
  const page = reportPage(view);
  expect(page).toContain('<section id="further-metrics"');
  expect(page).toContain("recall at 5 (%)");
  expect(page).toContain(`data-reported="bench_report.further_metrics[0].comparison.delta_mean"`);
  expect(reportMarkdown(view)).toMatch(
    /`mass drift`, lower is better \| 0\.\d+ \| 0\.\d+ \| -0\.1 \| 0\.03125 \|/,
  );
  const lines = cellsCsv(report.bench_report).split("\r\n");
  expect(lines[0]).toContain(",final_loss,further,evaluated,reason,key");
  expect(lines[1]).toContain('"{""mass drift"":');
});
