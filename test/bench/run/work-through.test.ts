import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { workThrough } from "../../../src/bench/run/work-through.js";
import { runs } from "../../runs.js";

const delays = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 8 });

test("gives the results in the order of the list, with at most `limit` under way", async () => {
  await fc.assert(
    fc.asyncProperty(delays, fc.integer({ min: 1, max: 4 }), async (items, limit) => {
      let underWay = 0;
      let most = 0;
      const work = async (delay: number): Promise<number> => {
        most = Math.max(most, ++underWay);
        await wait(delay);
        underWay -= 1;
        return delay * 2;
      };
      expect(await workThrough(items, limit, work, () => undefined)).toEqual(items.map((delay) => delay * 2));
      expect(most).toBe(Math.min(limit, items.length));
    }),
    { numRuns: runs(20) },
  );
});

test("the first failure stops the list, is reported once, and is thrown when all under way has ended", async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const onFailure = vi.fn();
  const work = async (item: number): Promise<void> => {
    started.push(item);
    await wait(item === 1 ? 1 : 20);
    ended.push(item);
    if (item <= 2) throw new Error(`item ${item}`);
  };
  await expect(workThrough([0, 1, 2, 3, 4, 5], 3, work, onFailure)).rejects.toThrow("item 1");
  expect(onFailure).toHaveBeenCalledTimes(1);
  expect(started).toEqual([0, 1, 2]);
  expect(ended.sort()).toEqual([0, 1, 2]);
});
