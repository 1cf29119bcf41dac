import { Comparison } from "../../src/testing/comparison.js";
import cases from "../autograd/fixtures/cases.json" with { type: "json" };
import { kinds } from "../kinds/kinds.js";
import { check, type Check } from "./row.js";

const known = new Set(cases.map(({ id }) => id));

/** The cases of whose kind a subject is: those of which a test in test/kinds has it in its title. */
export function casesNaming(name: string): string[] {
  return Object.entries(kinds)
    .filter(([, { subjects }]) => Object.keys(subjects).some((title) => title.split(/\W+/).includes(name)))
    .map(([id]) => id);
}

/**
 * The cases that are about a subject; they are run in test/autograd/cases, and their whole kinds in test/kinds. Here it is asked
 * that each exists, so that none is named that is gone.
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
