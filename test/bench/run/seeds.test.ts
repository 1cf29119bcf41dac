import { expect, test } from "vitest";
import { fewestPairs } from "../../../src/stats/index.js";
import { readSeeds, requireReachableAlpha } from "../../../src/bench/run/seeds.js";

test("a number counts from 0, a list is taken as it is", () => {
  expect(readSeeds(3)).toEqual([0, 1, 2]);
  expect(readSeeds([7, 2])).toEqual([7, 2]);
});

test.each([
  [0, /from 1 to 1000; found 0/],
  [1001, /from 1 to 1000; found 1001/],
  [Array.from({ length: 1001 }, (_, seed) => seed), /at most 1000 seeds; found 1001/],
  [2.5, /found 2.5/],
  [NaN, /found NaN/],
  [[], /at least one seed/],
  [[1, -1], /whole number ≥ 0; found -1/],
  [[1, 0.5], /found 0.5/],
  [[4, 1, 4], /seed 4 comes twice/],
] as [number | number[], RegExp][])("%j is refused", (seeds, message) => {
  expect(() => readSeeds(seeds)).toThrow(message);
  expect(() => readSeeds(seeds)).toThrow(/^E_PLAN/);
});

test("six pairs are the fewest that can reach 0.05: 2/2⁶ = 0.03125", () => {
  expect(fewestPairs(0.05)).toBe(6);
  expect(fewestPairs(0.01)).toBe(8);
  expect(() => requireReachableAlpha(6, 0.05)).not.toThrow();
  expect(() => requireReachableAlpha(5, 0.05)).toThrow(/E_PLAN: with 5 .*2\/2\^5 = 0.0625.*at least 6 seeds/);
  expect(() => requireReachableAlpha(1, 0.05)).toThrow(/1 paired seed the/);
});

test("a p-value equal to alpha is not below it", () => {
  expect(() => requireReachableAlpha(6, 0.03125)).toThrow(/E_PLAN/);
});
