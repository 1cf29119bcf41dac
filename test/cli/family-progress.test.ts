import { expect, test } from "vitest";
import type { Progress, RunningCell } from "../../src/bench/index.js";
import { familyProgress } from "../../src/cli/family-progress.js";
import { recordingTerminal } from "./recording-terminal.js";

const cell: RunningCell = {
  kind: "train",
  arm: "idea",
  cfg: { lr: 0.003 },
  seed: 4,
  epoch: 0,
  epochs: 8,
};

const started = (running: readonly RunningCell[], secondsLeft?: number): Progress => ({
  event: { kind: "started", cell },
  phase: "training",
  done: 0,
  total: 10,
  stored: 0,
  running,
  stepsPerSecond: 0,
  secondsElapsed: 1,
  secondsLeft,
});

test("on a screen each run has its own lines in the order of the command, and takes them away when it has ended", () => {
  const terminal = recordingTerminal({ live: true });
  const [first, second] = familyProgress(["one", "two"], terminal);
  second!.update(started([]));
  first!.update(started([cell, cell]));
  second!.update(started([cell]));
  first!.end();
  second!.end();
  const line = (name: string): string => `${name} ░░░░░░░░░░░░░░░░░░░░ 0/10 training`;
  const running = "  idea lr 0.003 seed 4: epoch 0/8";
  expect(terminal.screens).toEqual([
    [line("two")],
    [line("one"), running, running, line("two")],
    [line("one"), running, running, line("two"), running],
    [line("two"), running],
    [],
  ]);
});

test("the time left of a run is that of those before it as well, unless tasks stand in a queue of others'", () => {
  const leftOfTwo = (queued: boolean): (string | undefined)[] => {
    const terminal = recordingTerminal({ live: true });
    const [first, second] = familyProgress(["one", "two"], terminal, { queued });
    const left = (): string | undefined => {
      second!.update(started([], 30));
      return /\d+ s left/.exec(terminal.screens.at(-1)!.find((line) => line.startsWith("two"))!)?.[0];
    };
    const found = [left()];
    first!.update(started([], 12));
    found.push(left());
    first!.end();
    found.push(left());
    return found;
  };
  expect(leftOfTwo(false)).toEqual([undefined, "42 s left", "30 s left"]);
  expect(leftOfTwo(true)).toEqual(["30 s left", "30 s left", "30 s left"]);
});

test("in a pipe lines carry the name of their run", () => {
  const terminal = recordingTerminal();
  const displays = familyProgress(["one", "two"], terminal);
  const phase: Progress = { ...started([]), event: { kind: "phase", phase: "floors" } };
  for (const at of [1, 0]) displays[at]!.update(phase);
  expect(terminal.notes).toEqual(["two: measuring the floors", "one: measuring the floors"]);
  expect(terminal.screens).toEqual([]);
});
