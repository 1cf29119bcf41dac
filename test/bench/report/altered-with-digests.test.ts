import { expect, test } from "vitest";
import { digestsOf } from "../../../src/bench/report/digests.js";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import { buildReport, verifyReport, type ReportV2 } from "../../../src/bench/report/index.js";
import { valueAt, withValueAt } from "../../../src/bench/report/path.js";
import type { Json } from "../../../src/ideas/index.js";
import { sampleRun } from "./sample-run.js";

const costly = recomputation();
const report = buildReport(sampleRun());

/** The paths named in the report with another value, its digests made anew. */
function named(path: string, change: (value: Json) => Json): string[] {
  const altered = withValueAt(report, path, change(valueAt(report, path)!));
  const { bench_report: bench, ...statement } = altered;
  const forged: ReportV2 = { ...statement, bench_report: { ...bench, digests: digestsOf(statement, bench) } };
  return verifyReport(forged, costly).faults.flatMap((fault) => [fault.path, ...(fault.alternatives ?? [])]);
}

test.each<[string, (value: Json) => Json]>([
  ["bench_report.cells", (cells) => (cells as Json[]).slice(1)],
  ["bench_report.cells[3].steps", (steps) => Number(steps) + 1],
  ["bench_report.protocol.grid[0].lr", () => 0.002],
  ["bench_report.mechanism[2].claims[0].held", () => false],
  ["bench_report.math_checks[1].observed", () => 1],
  ["verdict", (text) => String(text).replace("545 seed pairs", "54 seed pairs")],
  ["verdict", (text) => String(text).replace("8 of 8 trained", "7 of 8 trained")],
  ["limitations", (text) => String(text).replace("48.1 %", "18.1 %")],
])("%s altered and its digests made anew", (path, change) => {
  const section = /^(bench_report\.)?\w+/.exec(path)![0];
  expect(named(path, change).some((one) => one.startsWith(section))).toBe(true);
});
