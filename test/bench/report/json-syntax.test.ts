import fc from "fast-check";
import { expect, test } from "vitest";
import { findSyntaxFault } from "../../../src/bench/report/json-syntax.js";
import { runs } from "../../runs.js";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON texts with a few characters replaced, removed or put in. */
const damaged = fc
  .tuple(
    fc.json(),
    fc.array(fc.tuple(fc.nat(60), fc.nat(2), fc.constantFrom(...'{}[]",:\\ \n0.e-+tfn\u0000\u007fx')), {
      maxLength: 3,
    }),
  )
  .map(([json, changes]) =>
    changes.reduce(
      (text, [at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed),
      json,
    ),
  );

test("a fault is found exactly where JSON.parse fails", () => {
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string(), fc.json()), (text) => {
      expect(findSyntaxFault(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: runs(500) },
  );
});

test("what stands before a fault could still become JSON", () => {
  expect(findSyntaxFault('{"a": tru}')).toMatchObject({
    line: 1,
    column: 7,
    expected: "a value",
    found: '"tru"',
  });
  expect(findSyntaxFault("[1,]")).toMatchObject({ column: 4, expected: "a value" });
  expect(findSyntaxFault('{"a":1,}')).toMatchObject({ column: 8, expected: "a key in double quotes" });
  expect(findSyntaxFault("[01]")).toMatchObject({ column: 2 });
  expect(findSyntaxFault('{"a" 1}')).toMatchObject({ column: 6, expected: "':' after the key" });
  expect(findSyntaxFault("{}\n{}")).toMatchObject({ line: 2, column: 1, expected: "the end of the text" });
  expect(findSyntaxFault(" \n")).toMatchObject({ line: 2, column: 1, found: "the end of the text" });
});
