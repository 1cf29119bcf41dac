import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface Mutant {
  readonly id: string;
  readonly family: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly occurrences: number;
  readonly tests: readonly string[];
}

const { mutants, faults, mutated } = (await import("../../scripts/mutation/" + "table.mjs")) as {
  mutants(): Promise<Mutant[]>;
  faults(all: readonly Mutant[]): string[];
  mutated(text: string, mutant: Mutant): string;
};
const { resultsIn } = (await import("../../scripts/mutation/" + "document.mjs")) as {
  resultsIn(document: string): Map<string, string>;
};
const all = await mutants();
const families = [
  "operations",
  "walker",
  "reference",
  "assembly",
  "math",
  "nn",
  "ideas",
  "statistics",
  "random",
];
const first = all.find(({ family }) => family === "operations")!;

test("every mutant fits the sources as they are", () => {
  expect(faults(all)).toEqual([]);
});

test("there are at least 60, some of every family", () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect([...new Set(all.map(({ family }) => family))].sort()).toEqual([...families].sort());
});

test("no two mutants make the same change", () => {
  const changes = all.map((mutant) =>
    JSON.stringify([mutant.file, mutated(readFileSync(mutant.file, "utf8"), mutant)]),
  );
  expect(new Set(changes).size).toBe(all.length);
});

test("docs/mutation.md lists the mutants of the table, in its order, and none that survives", () => {
  const results = resultsIn(readFileSync("docs/mutation.md", "utf8"));
  expect([...results.keys()]).toEqual(all.map(({ id }) => id));
  for (const result of results.values()) expect(["killed", "equivalent"]).toContain(result);
});

describe("what is wrong with a table is said", () => {
  test.each<[string, Mutant[], RegExp]>([
    ["a text that is gone", [{ ...first, find: "no such text" }], /stale: its text stands 0 times/],
    ["a text that stands more often", [{ ...first, find: "import" }], /stale: its text stands \d+ times/],
    ["an id used twice", [first, first], /the id is used twice/],
    ["a change that is none", [{ ...first, replace: first.find }], /the same/],
    ["tests that are gone", [{ ...first, tests: ["test/none.test.ts"] }], /there is no test\/none/],
    ["a source that is gone", [{ ...first, file: "src/none.ts" }], /there is no src\/none/],
  ])("%s", (_, table, fault) => {
    expect(faults(table).join("\n")).toMatch(fault);
  });
});
