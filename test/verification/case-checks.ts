import { Comparison } from "../../src/testing/comparison.js";
import cases from "../autograd/fixtures/cases.json" with { type: "json" };
import { check, type Check } from "./row.js";

const known = new Set(cases.map(({ id }) => id));

/**
 * The cases of test/autograd/cases that are about a subject; they are run there. Here it is asked that each exists, so that
 * none is named that is gone.
 */
export function caseChecks(ids: readonly string[]): Check[] {
  return ids.map((id) =>
    check(id, () => {
      const comparison = new Comparison("Case");
      comparison.error("exists", 0, known.has(id) ? 0 : Infinity, () => ({
        where: "test/autograd/fixtures/cases.json",
        expected: `a case "${id}"`,
        found: "none",
      }));
      return comparison.result();
    }),
  );
}
