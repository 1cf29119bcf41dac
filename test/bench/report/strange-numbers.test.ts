import { expect, test } from "vitest";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import {
  buildReport,
  parseReport,
  serializeReport,
  verifyReport,
  type Report,
} from "../../../src/bench/report/index.js";
import { leavesOf, withValueAt } from "../../../src/bench/report/path.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";
import { soundReport } from "./seed-report.js";

const costly = recomputation();
const strangers = [NaN, Infinity, -Infinity, -0, 0, 1e308, -1e308, 5e-324, 2 ** 53];

/** The figures of a report that are numbers, one of each kind. */
function kindsOfNumbers(report: Report): string[] {
  const numbers = leavesOf(report).filter(([, value]) => typeof value === "number");
  return [...new Map(numbers.map(([path]) => [path.replace(/\d+/g, ""), path])).values()];
}

test.each<[string, () => Report]>([
  ["the first report", () => soundReport("moment_preserving")],
  ["the second report", () => soundReport("residual_pivoted")],
  [
    "one's own",
    () => buildReport(sampleRun({ baseline: firstValues.slice(0, 6), idea: secondValues.slice(0, 6) })),
  ],
])("whatever number stands in %s, it is verified or refused, and never believed", (_, make) => {
  const report = make();
  const whole = serializeReport(report);
  const trusted = verifyReport(report, costly).trusted.map(({ path }) => path);
  for (const path of kindsOfNumbers(report)) {
    if (trusted.some((one) => path.startsWith(one))) continue;
    for (const stranger of strangers) {
      const altered = serializeReport(withValueAt(report, path, stranger));
      if (altered === whole) continue;
      let read: Report;
      try {
        read = parseReport(altered, "report.json");
      } catch (error) {
        expect(String(error)).toContain(path);
        continue;
      }
      expect([path, stranger, verifyReport(read, costly).holds]).toEqual([path, stranger, false]);
    }
  }
});

test("a run of a single seed is a report that holds and decides nothing", () => {
  const report = buildReport(sampleRun({ baseline: [0.5], idea: [0.25], preset: "quick" }));
  expect(verifyReport(parseReport(serializeReport(report), "r.json"), costly).holds).toBe(true);
  expect(report.bench_report.verdicts.strict.verdict).toBe("inconclusive");
  expect(report.worked).toBe(false);
});
