import os from "node:os";
import { expect, test } from "vitest";
import { executorAsked, redisAsked, withoutOthers } from "../../src/cli/executor-asked.js";
import { inProcess, recordingTerminal } from "./recording-terminal.js";

const terminal = recordingTerminal();
const asked = (args: Record<string, unknown>) => executorAsked(args, "cells", terminal);

test("threads are asked for by default, one a core", () => {
  expect(asked({})).toEqual([undefined, os.availableParallelism(), {}]);
  expect(asked({ executor: "inline", jobs: "3", timeout: "1.5", memory: "64" })).toEqual([
    "inline",
    3,
    { timeout: 1.5, memory: 64 },
  ]);
});

test("a cluster and a queue are asked for with what they need", () => {
  expect(asked({ executor: "slurm", sbatch: "--mem=2G  -p short", chunk: "4" })).toEqual([
    "slurm",
    undefined,
    {},
    { folder: "cells.slurm", sbatch: ["--mem=2G", "-p", "short"], chunk: 4 },
  ]);
  expect(asked({ executor: "bullmq", jobs: "7", redis: "redis://host:1" })).toEqual([
    "bullmq",
    7,
    {},
    { redis: "redis://host:1", onNotice: terminal.err },
  ]);
});

test.each([
  [{ executor: "cloud" }, /--executor: expected threads, inline, slurm or bullmq, got cloud/],
  [{ redis: "redis://host" }, /--redis is for --executor bullmq/],
  [{ executor: "bullmq", chunk: "2" }, /--chunk is for --executor slurm/],
  [{ executor: "slurm", redis: "redis://host" }, /--redis is for --executor bullmq/],
])("what does not belong to an executor is refused: %o", (args, message) => {
  expect(() => asked(args)).toThrow(message);
});

test("the Redis is that of the option, then of the environment, then this machine's; a password is taken from REDIS_URL alone", () => {
  const environment = { GRADSTAND_REDIS: "redis://g", REDIS_URL: "redis://:secret@r" };
  expect(redisAsked({ redis: "redis://o" }, environment)).toBe("redis://o");
  expect(redisAsked({}, environment)).toBe("redis://g");
  expect(redisAsked({}, { ...environment, GRADSTAND_REDIS: "" })).toBe("redis://:secret@r");
  expect(redisAsked({}, { REDIS_URL: "" })).toBe("redis://127.0.0.1:6379");
  const refused = /E_USAGE: --redis: expected a URL without a password, .* give the whole URL as REDIS_URL/;
  expect(() => redisAsked({ redis: "redis://:secret@o" }, environment)).toThrow(refused);
  expect(() => redisAsked({}, { GRADSTAND_REDIS: "redis://a:secret@o" })).toThrow(refused);
});

test("a run that goes on with another executor leaves the options of the first behind", () => {
  const args = { executor: "bullmq", redis: "redis://host", sbatch: "-p short", seeds: "2", jobs: "4" };
  expect(withoutOthers(args, "threads")).toEqual({ executor: "bullmq", seeds: "2", jobs: "4" });
  expect(withoutOthers(args, "bullmq")).toEqual({
    executor: "bullmq",
    redis: "redis://host",
    seeds: "2",
    jobs: "4",
  });
});

test("a study, which has executors of its own, takes no --executor", async () => {
  const { code, err } = await inProcess(["study", "attention-cost", "--executor", "slurm"]);
  expect(err).toMatch(/E_USAGE: study: there is no option --executor/);
  expect(code).toBe(2);
});
