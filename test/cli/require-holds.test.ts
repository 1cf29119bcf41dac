import { expect, test } from "vitest";
import { buildReport } from "../../src/bench/report/index.js";
import { requireHolds } from "../../src/cli/require-holds.js";
import { sampleRun } from "../bench/report/sample-run.js";

test("a report that verifies passes; one that does not is an internal error that names the figure", () => {
  const report = buildReport(sampleRun());
  expect(() => requireHolds(report)).not.toThrow();
  const comparison = { ...report.bench_report.comparison, delta_mean: NaN };
  const wrong = { ...report, bench_report: { ...report.bench_report, comparison } };
  expect(() => requireHolds(wrong)).toThrow(
    /^E_INTERNAL: the report does not verify: bench_report\.comparison\.delta_mean is NaN, should be 0\.00084/,
  );
});
