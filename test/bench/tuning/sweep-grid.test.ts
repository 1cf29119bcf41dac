import fc from "fast-check";
import { expect, test } from "vitest";
import { sweepConfigs, widenedConfigs } from "../../../src/bench/tuning/index.js";

test("without options both arms try every rate", () => {
  const { baseline, changed } = sweepConfigs({ rates: [0.01, 0.001], options: {} });
  expect(baseline).toEqual([{ lr: 0.01 }, { lr: 0.001 }]);
  expect(changed).toEqual(baseline);
});

test("options multiply the idea's configurations, and the baseline tries as many rates", () => {
  const { baseline, changed } = sweepConfigs({ rates: [0.001, 0.003, 0.01], options: { rank: [2, 4] } });
  expect(changed).toEqual([
    { lr: 0.001, rank: 2 },
    { lr: 0.001, rank: 4 },
    { lr: 0.003, rank: 2 },
    { lr: 0.003, rank: 4 },
    { lr: 0.01, rank: 2 },
    { lr: 0.01, rank: 4 },
  ]);
  // The widest gap is 0.003 to 0.01, then 0.001 to 0.003, then 0.003 to the new 0.0055.
  expect(baseline.map(({ lr }) => lr)).toEqual([0.001, 0.003, 0.01, 0.0055, 0.0017, 0.0041]);
});

test("an extension keeps what was tried and keeps the budgets equal", () => {
  const before = sweepConfigs({ rates: [0.001, 0.01], options: { rank: [2, 4, 8] } });
  const after = widenedConfigs(before, { rates: [0.03], options: { rank: [2, 4, 8] } });
  expect(after.changed.slice(0, 6)).toEqual(before.changed);
  expect(after.changed.slice(6)).toEqual([2, 4, 8].map((rank) => ({ lr: 0.03, rank })));
  expect(after.baseline.slice(0, 6)).toEqual(before.baseline);
  expect(after.baseline).toHaveLength(9);
  expect(after.baseline[6]).toEqual({ lr: 0.03 });
});

test("no configuration is tried twice", () => {
  const rates = fc.uniqueArray(fc.constantFrom(0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03), { minLength: 2 });
  const values = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(rates, values, (given, rank) => {
      const { baseline, changed } = sweepConfigs({ rates: given, options: { rank } });
      expect(new Set(baseline.map(({ lr }) => lr)).size).toBe(baseline.length);
      expect(new Set(changed.map((cfg) => JSON.stringify(cfg))).size).toBe(given.length * rank.length);
      expect(baseline).toHaveLength(changed.length);
    }),
  );
});
