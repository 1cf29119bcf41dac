import { expect, test } from "vitest";
import { decodeTask, encodeTask, requireSameCode, taskId } from "../../../src/bench/executors/remote-task.js";
import { decodeReply, encodeReply, resultOf, type Reply } from "../../../src/bench/executors/reply.js";
import type { FloorsTask, TrainTask } from "../../../src/bench/executors/task.js";
import { packageFingerprint } from "../../../src/bench/index.js";
import { GradstandError } from "../../../src/errors/index.js";
import { kernels } from "../../../src/tensor/index.js";

const task = (seed: number): TrainTask => ({
  kind: "train",
  spec: {
    kind: "train",
    track: "dynamics",
    model: "rnn_small",
    arm: "baseline",
    cfg: { lr: 0.003 },
    seed,
    trainSize: 8,
    validationSize: 0,
    testSize: 4,
    evaluate: "test",
    epochs: 3,
    batchSize: 8,
    optimizer: "adam",
    idea: null,
  },
});

test("a task crosses with the code, the kernels and the limits that it is to have", () => {
  expect(decodeTask(encodeTask(task(1), { timeout: 1.5, memory: undefined }))).toStrictEqual({
    task: task(1),
    fingerprint: packageFingerprint(),
    kernels: kernels().name,
    files: [],
    limits: { timeout: 1.5 },
  });
});

test("equal tasks have one name, others another", () => {
  expect(taskId(task(1))).toMatch(/^[0-9a-f]{64}$/);
  expect(taskId(task(1))).toBe(taskId(structuredClone(task(1))));
  expect(taskId(task(2))).not.toBe(taskId(task(1)));
});

test("a machine with other code refuses the task, and says which it has", () => {
  const remote = decodeTask(encodeTask(task(1), {}));
  expect(() => requireSameCode(remote)).not.toThrow();
  const asked = "f".repeat(64);
  expect(() => requireSameCode({ ...remote, fingerprint: asked })).toThrow(
    new RegExp(
      `E_CELL: .* has another version of gradstand .*code ${packageFingerprint().slice(0, 16)}, asked for f{16}\\)`,
    ),
  );
});

test("an answer comes back to the bit, numbers too that JSON has not", () => {
  const floors: readonly FloorsTask["seed"][] = [NaN, -0, Infinity, 0.1 + 0.2, Number.MIN_VALUE];
  const reply: Reply = { ok: true, result: floors.map((value) => ({ name: "NaN", value })) };
  expect(decodeReply(encodeReply(reply))).toStrictEqual(reply);
  expect(resultOf(decodeReply(encodeReply(reply)))).toStrictEqual(reply.result);
});

test.each([
  [
    { code: "E_TIMEOUT", message: "E_TIMEOUT: the cell took long", stack: "there" },
    "E_TIMEOUT: the cell took long",
  ],
  [{ message: "it broke" }, "E_CELL: it broke"],
] as const)("the error of another machine is thrown with its code and stack", (failure, message) => {
  const thrown = (): unknown => resultOf({ ok: false, failure });
  expect(thrown).toThrow(GradstandError);
  expect(thrown).toThrow(expect.objectContaining({ message }));
  if ("stack" in failure)
    expect(thrown).toThrow(expect.objectContaining({ cause: expect.objectContaining({ stack: "there" }) }));
});
