import { describe, expect, test } from "vitest";
import { LawError } from "../../src/testing/index.js";
import { levelNumbers, type LevelNumber } from "./levels.js";
import { matrix, type Group } from "./matrix.js";
import { writeFindings, type Finding } from "./results.js";
import { isNotApplicable, type Check } from "./row.js";
import { Total } from "./total.js";

/** Runs every check of a group of rows, and then asks whether every one was run. */
export function verifyGroup(group: Group): void {
  const rows = matrix[group];
  const findings: Finding[] = [];
  const wanted: string[] = [];

  describe.each(rows.map((row) => [row.name, row] as const))("%s", (name, row) => {
    for (const level of levelNumbers) {
      const entry = row.levels[level];
      if (!entry || isNotApplicable(entry)) continue;
      for (const check of entry) {
        wanted.push(keyOf(name, level, check.title));
        test(`level ${level}: ${check.title}`, () => {
          findings.push({ row: name, level, check: check.title, parts: totalOf(check).parts });
        });
      }
    }
  });

  test("every check of the group was run, and has passed", () => {
    expect(findings.map(({ row, level, check }) => keyOf(row, level, check))).toEqual(wanted);
    writeFindings(group, rows, findings);
  });
}

const keyOf = (row: string, level: LevelNumber, title: string): string => `${row} · ${level} · ${title}`;

/** Runs a check; throws where a result did not pass, and when nothing was compared. */
export function totalOf(check: Check): Total {
  const total = new Total();
  check.run((result) => {
    total.add(result);
    if (!result.passed) throw new LawError(result);
  });
  expect(total.compared, "the check compared nothing").toBeGreaterThan(0);
  return total;
}
