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

test("an item that frees its place lets the next one start while it goes on", async () => {
  const events: string[] = [];
  const work = async (item: number, free: () => void): Promise<number> => {
    events.push(`begin ${item}`);
    await wait(1);
    free();
    free();
    events.push(`freed ${item}`);
    await wait(5);
    events.push(`end ${item}`);
    return item;
  };
  expect(await workThrough([0, 1, 2], 1, work, () => undefined)).toEqual([0, 1, 2]);
  expect(events.slice(0, 5)).toEqual(["begin 0", "begin 1", "freed 0", "begin 2", "freed 1"]);
  expect(events.filter((event) => event.startsWith("end"))).toHaveLength(3);
});

test("a failure after the place was freed stops the list all the same", async () => {
  const started: number[] = [];
  const work = async (item: number, free: () => void): Promise<void> => {
    started.push(item);
    await wait(1);
    free();
    throw new Error(`item ${item}`);
  };
  await expect(workThrough([0, 1, 2, 3], 1, work, () => undefined)).rejects.toThrow("item 0");
  expect(started).toEqual([0, 1]);
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
