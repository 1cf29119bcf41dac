import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../../../src/ideas/index.js";
import { buildReport, parseReport, reportSchema, serializeReport } from "../../../src/bench/report/index.js";
import { leavesOf, withValueAt } from "../../../src/bench/report/path.js";
import { sampleRun, firstValues, secondValues } from "./sample-run.js";
import { isValid } from "./schema-validation.js";
import { seedReport } from "./seed-report.js";

const reports = {
  1: [seedReport("moment_preserving"), seedReport("residual_pivoted")],
  2: [buildReport(sampleRun({ baseline: firstValues.slice(0, 6), idea: secondValues.slice(0, 6) }))],
} as const;

/** What is put in the place of a value to see what is admitted there. */
const strangers: readonly Json[] = [null, true, -3, 0.75, "word", "NaN", "-12", [], {}];

const admits = (document: object): boolean => {
  try {
    parseReport(serializeReport(document), "report.json");
    return true;
  } catch {
    return false;
  }
};

test.each([1, 2] as const)("the file of version %i is the schema; UPDATE_SCHEMAS=1 writes it", (version) => {
  const file = new URL(
    `../../../src/bench/report/schema/bench-report-v${version}.schema.json`,
    import.meta.url,
  );
  if (process.env.UPDATE_SCHEMAS) writeFileSync(file, `${JSON.stringify(reportSchema(version), null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(reportSchema(version));
});

test.each([1, 2] as const)(
  "the schema of version %i admits a report exactly when it can be read",
  (version) => {
    const schema = reportSchema(version);
    for (const report of reports[version]) {
      expect(isValid(schema, JSON.parse(serializeReport(report)))).toBe(true);
      const kinds = new Map(leavesOf(report).map(([path]) => [path.replace(/\d+/g, ""), path]));
      for (const path of kinds.values()) {
        for (const stranger of strangers) {
          const document = withValueAt(report, path, stranger);
          const written: unknown = JSON.parse(serializeReport(document));
          expect([path, stranger, isValid(schema, written)]).toEqual([path, stranger, admits(document)]);
        }
      }
    }
  },
);

test("the two versions do not admit each other's reports", () => {
  expect(isValid(reportSchema(2), reports[1][0])).toBe(false);
  expect(isValid(reportSchema(1), reports[2][0])).toBe(false);
});
