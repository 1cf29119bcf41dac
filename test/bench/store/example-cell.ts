import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { cellKey } from "../../../src/bench/cells/key.js";
import type { CellOutcome } from "../../../src/bench/cells/result.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";
import type { KeyedCell } from "../../../src/bench/store/index.js";

export const fingerprint = "0".repeat(64);

/** A cell of seed `seed`, as a plan would name it. */
export function exampleCell(seed = 0): KeyedCell<TrainSpec> {
  const spec: TrainSpec = {
    kind: "train",
    track: "dynamics",
    model: "rnn_small",
    arm: "baseline",
    cfg: { lr: 0.003 },
    seed,
    trainSize: 64,
    validationSize: 0,
    testSize: 32,
    evaluate: "test",
    epochs: 2,
    batchSize: 32,
    optimizer: "adam",
    idea: null,
  };
  return { key: cellKey(spec, fingerprint), spec };
}

/** An outcome with every kind of number that a result may hold. */
export function exampleOutcome(metric = 0.1, seconds = 1.5): CellOutcome<TrainSpec> {
  return {
    result: {
      status: "ok",
      metric,
      curve: [0.5, NaN, -0, Infinity, 1e-300],
      parameters: 2,
      steps: 4,
      weights: { "head.bias": { shape: [2], data: "AACAPwAAAEA=" } },
    },
    seconds,
  };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-store-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
