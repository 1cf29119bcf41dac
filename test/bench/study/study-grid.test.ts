import { expect, test } from "vitest";
import { combinations, readStudyGrid } from "../../../src/bench/study/study-grid.js";

const study = { name: "example", grid: { law: ["exp", "greedy"], n: [128, 256] } };

test("every combination of all values, the last axis changing fastest", () => {
  expect(combinations(study.grid)).toEqual([
    { law: "exp", n: 128 },
    { law: "exp", n: 256 },
    { law: "greedy", n: 128 },
    { law: "greedy", n: 256 },
  ]);
  expect(combinations({})).toEqual([{}]);
});

test("other values take the place of an axis's own, numbers as numbers, and the other axes stay", () => {
  expect(readStudyGrid(study, {})).toEqual(study.grid);
  expect(readStudyGrid(study, { n: ["64", "1e3"] })).toEqual({ law: ["exp", "greedy"], n: [64, 1000] });
  expect(readStudyGrid(study, { law: ["greedy"] })).toEqual({ law: ["greedy"], n: [128, 256] });
});

test.each([
  [{ m: ["1"] }, /E_PLAN.*example has no axis 'm'.*n/],
  [{ n: ["many"] }, /E_PLAN.*axis n takes finite numbers; found "many"/],
  [{ n: ["Infinity"] }, /E_PLAN.*axis n takes finite numbers/],
  [{ n: [] }, /E_PLAN.*axis n needs at least one value/],
  [{ n: ["1", ""] }, /E_PLAN.*axis n needs at least one value; found an empty one/],
  [{ n: ["64", "64.0"] }, /E_PLAN.*axis n takes each value once; 64 comes twice/],
  [{ law: ["gready"] }, /E_PLAN.*axis law has no value 'gready'.*greedy/],
])("refuses %j", (given, message) => {
  expect(() => readStudyGrid(study, given as Record<string, string[]>)).toThrow(message);
});
