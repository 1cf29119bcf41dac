import { expect, test } from "vitest";
import { nextRate } from "../../../src/bench/tuning/index.js";

test.each([
  [0.01, 0.03],
  [0.03, 0.1],
  [0.006, 0.01],
  [0.008, 0.03],
  [1, 3],
])("above %s comes %s", (rate, next) => {
  expect(nextRate(rate, "highest")).toBe(next);
});

test.each([
  [0.001, 0.0003],
  [0.0003, 0.0001],
  [0.002, 0.001],
  [0.0012, 0.0003],
  [1e-9, 3e-10],
])("below %s comes %s", (rate, next) => {
  expect(nextRate(rate, "lowest")).toBe(next);
});
