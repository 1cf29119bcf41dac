import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { rules, withoutGradient } from "../../src/autograd/index.js";
import { census, withoutRow } from "./census.js";
import { promised } from "./checks/promised-slopes.js";
import { faultsOf, type Demands } from "./faults.js";
import { levelNumbers } from "./levels.js";
import { matrix } from "./matrix.js";
import { operationUses } from "./oracle/operation-uses.js";
import recorded from "./oracle/operations.json" with { type: "json" };
import { exceptions, policy } from "./policy.js";
import { check, notApplicable, property, type Row } from "./row.js";
import { totalOf } from "./verify-group.js";

const rows: readonly Row[] = Object.values(matrix).flat();
const demands: Demands = { census, withoutRow, policy, exceptions };

describe("the matrix", () => {
  test("says something of every level of everything that must be verified", () => {
    expect(faultsOf(rows, demands)).toEqual([]);
  });

  test("is run: each group by the test file of its name", () => {
    const here = fileURLToPath(new URL(".", import.meta.url));
    for (const group of Object.keys(matrix)) {
      const file = `${here}${group}.test.ts`;
      expect(existsSync(file), file).toBe(true);
      expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^verifyGroup\\("${group}"\\);$`, "m"));
    }
    const files = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
    expect(files.sort()).toEqual([...Object.keys(matrix), "matrix"].map((name) => `${name}.test.ts`).sort());
  });

  test("calls plain what has no gradient rule, and nothing else", () => {
    const plain = new Set<string>(withoutGradient);
    for (const [name, op] of Object.entries(rules)) expect("vjp" in op, name).toBe(!plain.has(name));
    for (const { covers, subject, name } of rows)
      for (const entry of covers.filter((entry) => entry.startsWith("rule ")))
        expect(subject === "plain", name).toBe(plain.has(entry.slice("rule ".length)));
  });
});

test("what tables hold by name is the name of a row", () => {
  const names = new Set(rows.map(({ name }) => name));
  for (const table of [operationUses, recorded, promised])
    for (const name of Object.keys(table)) expect(names.has(name), name).toBe(true);
});

/** While the page is being written it may lack what is new. */
const writing = process.env.VERIFICATION_RESULTS !== undefined;

test.skipIf(writing)(
  "docs/verification.md has a line for every row; npm run verification writes it anew",
  () => {
    const page = readFileSync(fileURLToPath(new URL("../../docs/verification.md", import.meta.url)), "utf8");
    for (const { name } of rows) expect(page.includes(`\n| ${name} |`), name).toBe(true);
  },
);

describe("a matrix is refused", () => {
  const row = rows.find(({ name }) => name === "tanh")!;
  const others = rows.filter((other) => other !== row);
  const withLevel = (level: (typeof levelNumbers)[number], entry: Row["levels"][0]): readonly Row[] => [
    ...others,
    { ...row, levels: { ...row.levels, [level]: entry } },
  ];
  const something = [check("something", () => [])];

  test.each<[what: string, rows: readonly Row[], demands: Demands, fault: RegExp]>([
    ["without a row for a rule", others, demands, /^rule tanh has no row$/],
    [
      "when something new is exported",
      rows,
      { ...demands, census: [...census, "autograd sinh"] },
      /^autograd sinh has no row$/,
    ],
    [
      "when what it covers is gone",
      rows,
      { ...demands, census: census.filter((name) => name !== "rule tanh") },
      /^rule tanh has a row and does not exist$/,
    ],
    [
      "with a row for what is said to need none",
      rows,
      { ...demands, withoutRow: { ...withoutRow, "rule tanh": "for a good reason" } },
      /^rule tanh has a row and is said to need none$/,
    ],
    [
      "when something is said to need no row without a reason",
      others,
      { ...demands, withoutRow: { ...withoutRow, "rule tanh": "-" } },
      /^rule tanh is said to need no row without a reason$/,
    ],
    ["with a level left out", withLevel(5, undefined), demands, /^tanh, level 5: nothing is said$/],
    ["with an empty list of checks", withLevel(5, []), demands, /^tanh, level 5: a list of no checks$/],
    [
      "with a reason where a check is required",
      withLevel(3, notApplicable("it is too hard")),
      demands,
      /^tanh, level 3: a check is required of its class$/,
    ],
    [
      "with no reason",
      withLevel(0, notApplicable("")),
      demands,
      /^tanh, level 0: not applicable without a reason$/,
    ],
    [
      "with a dash for a reason",
      withLevel(0, notApplicable(" – ")),
      demands,
      /^tanh, level 0: not applicable/,
    ],
    [
      "with a check of a level that its class has not",
      withLevel(10, something),
      demands,
      /^tanh, level 10: its class/,
    ],
    ["with two rows of one name", [...rows, { ...row, covers: [] }], demands, /^tanh has two rows$/],
    ["with an exception for no row", rows, { ...demands, exceptions: { tahn: [3] } }, /^tahn is excepted/],
    [
      "with an exception that is not needed",
      rows,
      { ...demands, exceptions: { ...exceptions, tanh: [3] } },
      /^tanh, level 3: is excepted and has a check$/,
    ],
  ])("%s", (_, broken, judged, fault) => {
    expect(faultsOf(broken, judged)).toEqual(
      expect.arrayContaining([expect.stringMatching(fault) as string]),
    );
  });

  test("every level of every row is looked at", () => {
    for (const other of rows) {
      for (const level of levelNumbers) {
        if (!other.levels[level]) continue;
        const broken = { ...other, levels: { ...other.levels, [level]: undefined } };
        expect(
          faultsOf(
            rows.map((r) => (r === other ? broken : r)),
            demands,
          ),
        ).toEqual([`${other.name}, level ${level}: nothing is said`]);
      }
    }
  });
});

describe("a check is refused", () => {
  test("that compares nothing", () => {
    expect(() => totalOf(check("nothing", () => []))).toThrow(/compared nothing/);
  });

  test("whose result did not pass", () => {
    const parts = [{ name: "part", worst: 2, tolerance: 1, compared: 1 }];
    const broken = { law: "Broken", passed: false, worst: 2, tolerance: 1, compared: 1, kinks: 0, parts };
    expect(() => totalOf(check("broken", () => broken))).toThrow(/E_LAW/);
  });
});

test("a sample that breaks a slow law is made smaller for a second, and then reported", () => {
  let now = 0;
  let tries = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const slow = property("slow", fc.array(fc.nat(), { minLength: 20 }), () => {
    tries++;
    now += 400;
    throw new Error("broken");
  });
  try {
    expect(() => totalOf(slow)).toThrow(/Counterexample/);
  } finally {
    clock.mockRestore();
  }
  expect(tries).toBe(4);
});
