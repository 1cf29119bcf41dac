import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSpecialNumbers } from "../../../src/bench/report/special-numbers.js";
import { canonicalText, serializeReport } from "../../../src/bench/report/serialize.js";
import { childPath, leavesOf, pathSteps, valueAt, withValueAt } from "../../../src/bench/report/path.js";
import type { Json } from "../../../src/ideas/index.js";

const documents = fc.object({
  values: [
    fc.double(),
    fc.constantFrom(NaN, Infinity, -Infinity, -0, 5e-324, 1.7976931348623157e308),
    fc.boolean(),
    fc.constant(null),
    fc.string(),
  ],
  key: fc.string({ minLength: 1 }).filter((key) => key !== "__proto__"),
}) as fc.Arbitrary<Record<string, Json>>;

describe("a report as text", () => {
  test("comes back bit for bit, with every number that JSON cannot hold", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const named = leavesOf(document).some(([, leaf]) =>
          ["NaN", "Infinity", "-Infinity", "-0"].includes(leaf as string),
        );
        fc.pre(!named);
        const read = readSpecialNumbers(JSON.parse(serializeReport(document)) as Json);
        // Not toStrictEqual, which takes a key named "constructor" for a type.
        deepStrictEqual(read, structuredClone(document));
      }),
    );
  });

  test("keeps the order of the keys and ends with one newline", () => {
    expect(serializeReport({ b: -0, a: [NaN, 1e-7] })).toBe(
      '{\n  "b": "-0",\n  "a": [\n    "NaN",\n    1e-7\n  ]\n}\n',
    );
  });

  test("has one canonical form, whatever the order of the keys", () => {
    expect(canonicalText({ b: 1, a: { d: -0, c: [2, { f: 1, e: 2 }] } })).toBe(
      '{"a":{"c":[2,{"e":2,"f":1}],"d":"-0"},"b":1}',
    );
    fc.assert(
      fc.property(documents, (document) => {
        const reversed = Object.fromEntries(Object.entries(document).reverse());
        expect(canonicalText(reversed)).toBe(canonicalText(document));
      }),
    );
  });
});

describe("paths", () => {
  test("are written as in the messages", () => {
    expect(childPath(childPath("bench_report.baseline.full", "per_seed"), 6)).toBe(
      "bench_report.baseline.full.per_seed[6]",
    );
    expect(childPath("cfg", "a.b")).toBe('cfg["a.b"]');
    expect(pathSteps('a["b.[c]"][2].d')).toEqual(["a", "b.[c]", 2, "d"]);
  });

  test("lead to their leaf, and replacing it changes nothing else", () => {
    fc.assert(
      fc.property(documents, (document) => {
        for (const [path, leaf] of leavesOf(document)) {
          if (path === "") continue;
          expect(valueAt(document, path)).toBe(leaf);
          const changed = leavesOf(withValueAt(document, path, "another"));
          expect(changed).toEqual(
            leavesOf(document).map((pair) => (pair[0] === path ? [path, "another"] : pair)),
          );
        }
      }),
    );
  });
});
