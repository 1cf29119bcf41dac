import { expect, test, vi } from "vitest";
import type { Progress, RunEvent, RunningCell } from "../../src/bench/index.js";
import { runProgress } from "../../src/cli/run-progress.js";
import { recordingTerminal } from "./recording-terminal.js";

const cell: RunningCell = {
  kind: "train",
  arm: "idea",
  cfg: { lr: 0.003 },
  seed: 4,
  epoch: 2,
  epochs: 8,
  loss: 0.123456,
};

const trained = (stored: boolean): RunEvent => ({
  kind: "trained",
  stored,
  cell: {
    key: "k",
    arm: "baseline",
    cfg: { lr: 0.01 },
    seed: 3,
    evaluated: "test",
    status: "ok",
    metric: 0.0123456,
    curve: [1],
    parameters: 10,
    steps: 20,
    seconds: 1.25,
  },
});

const state = (event: RunEvent, more: Partial<Progress> = {}): Progress => ({
  event,
  phase: "training",
  done: 5,
  total: 10,
  stored: 0,
  running: [],
  stepsPerSecond: 0,
  secondsElapsed: 1,
  secondsLeft: undefined,
  ...more,
});

test("in a pipe each phase, finished cell, retry and measurement is a plain line, and an epoch is none", () => {
  const terminal = recordingTerminal();
  const progress = runProgress("mine", terminal);
  progress.update(state({ kind: "phase", phase: "checks" }));
  progress.update(state({ kind: "started", cell }));
  progress.update(state({ kind: "epoch", cell }));
  progress.update(state(trained(false), { done: 1, secondsLeft: 89 }));
  progress.update(state(trained(true), { done: 2, secondsLeft: 90 }));
  progress.update(state(trained(true), { done: 3, secondsLeft: 0.5 }));
  progress.update(state({ kind: "retried", cell, reason: "worker lost" }));
  progress.update(state({ kind: "waiting", reason: "array tasks wait" }));
  progress.update(state({ kind: "measured", seed: 7, stored: false }, { done: 9 }));
  progress.end();
  expect(terminal.notes).toEqual([
    "mine: checking the mathematics on random inputs",
    "mine: [1/10] baseline lr 0.01 seed 3: 0.012346 (1.3 s, 89 s left)",
    "mine: [2/10] baseline lr 0.01 seed 3: 0.012346 (stored, 2 min left)",
    "mine: [3/10] baseline lr 0.01 seed 3: 0.012346 (stored)",
    "mine: retried idea lr 0.003 seed 4: epoch 2/8, loss 0.1235: worker lost",
    "mine: array tasks wait",
    "mine: [9/10] mechanism, seed 7",
  ]);
  expect(terminal.screens).toEqual([]);
  expect(terminal.results).toEqual([]);
});

test("on a screen one line shows the whole run and one each running cell; the end takes them away", () => {
  const terminal = recordingTerminal({ live: true });
  const progress = runProgress("mine", terminal);
  const measured: RunningCell = { ...cell, kind: "measure", epoch: 0, epochs: 0 };
  const fresh: RunningCell = { ...cell, epoch: 0, loss: undefined };
  progress.update(
    state(
      { kind: "started", cell },
      { running: [cell, fresh, measured], stepsPerSecond: 12.34, secondsLeft: 30 },
    ),
  );
  expect(terminal.screens).toEqual([
    [
      "mine ██████████░░░░░░░░░░ 5/10 training, 12.3 steps/s, 30 s left",
      "  idea lr 0.003 seed 4: epoch 2/8, loss 0.1235",
      "  idea lr 0.003 seed 4: epoch 0/8",
      "  mechanism of idea lr 0.003 seed 4",
    ],
  ]);
  progress.update(state({ kind: "phase", phase: "floors" }, { phase: "floors", done: 0, total: 0 }));
  expect(terminal.screens.at(-1)).toEqual(["mine ░░░░░░░░░░░░░░░░░░░░ 0/0 measuring the floors"]);
  progress.update(state({ kind: "retried", cell, reason: "worker lost" }));
  progress.update(state({ kind: "waiting", reason: "array tasks wait" }));
  expect(terminal.notes).toEqual([
    "mine: retried idea lr 0.003 seed 4: epoch 2/8, loss 0.1235: worker lost",
    "mine: array tasks wait",
  ]);
  progress.end();
  expect(terminal.screens.at(-1)).toEqual([]);
});

test("on a screen epochs are drawn at most ten times a second, everything else at once", () => {
  const now = vi.spyOn(performance, "now");
  try {
    const terminal = recordingTerminal({ live: true });
    const progress = runProgress("mine", terminal);
    const at = (time: number, event: RunEvent): number => {
      now.mockReturnValue(time);
      progress.update(state(event));
      return terminal.screens.length;
    };
    expect(at(1000, { kind: "epoch", cell })).toBe(1);
    expect(at(1099, { kind: "epoch", cell })).toBe(1);
    expect(at(1099, trained(false))).toBe(2);
    expect(at(1150, { kind: "epoch", cell })).toBe(2);
    expect(at(1199, { kind: "epoch", cell })).toBe(3);
  } finally {
    now.mockRestore();
  }
});
