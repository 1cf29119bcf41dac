import { afterEach, expect, test, vi } from "vitest";
import type { CellRecord } from "../../../src/bench/record.js";
import type { Progress } from "../../../src/bench/run/progress.js";
import { ProgressTracker } from "../../../src/bench/run/progress-tracker.js";

afterEach(() => vi.restoreAllMocks());

const running = { kind: "train", arm: "idea", cfg: { lr: 1 }, seed: 0, epoch: 0, epochs: 1 } as const;
const cell: CellRecord = {
  key: "k",
  arm: "idea",
  cfg: { lr: 1 },
  seed: 0,
  evaluated: "test",
  status: "ok",
  metric: 1,
  curve: [],
  parameters: 1,
  steps: 1,
  seconds: 30,
};

/** Seconds left after 2 of 10 cells, of 30 seconds each, that were started at 0 s and both ended at 60 s. */
function leftAfterTwo(executor: { workers: number; queued?: boolean }): number | undefined {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  let last: Progress | undefined;
  const tracker = new ProgressTracker(executor, (progress) => (last = progress));
  tracker.expectTraining("idea", 10);
  for (const key of ["a", "b"]) tracker.started(key, running);
  now.mockReturnValue(60_000);
  for (const key of ["a", "b"]) tracker.finished(key, { kind: "trained", cell, stored: false });
  return last!.secondsLeft;
}

test("the time left is that of the cells to come over the workers", () => {
  expect(leftAfterTwo({ workers: 2 })).toBe((8 * 30) / 2);
});

test("where tasks stand in a queue, it is that of the cells to come at the pace of those that ended by the clock", () => {
  expect(leftAfterTwo({ workers: 1000, queued: true })).toBe((8 * 60) / 2);
});
