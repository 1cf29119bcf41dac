import os from "node:os";
import type { CellLimits, executorOf } from "../bench/index.js";
import { defaultRedis } from "../bench/executors/index.js";
import { fail } from "../errors/index.js";
import { countOf, positiveOf, textOf, type Arguments } from "./arguments.js";
import type { Terminal } from "./terminal.js";

/** What one cell may take. */
export const limitOptions = {
  timeout: { type: "string", describe: "seconds that one cell may take (default no limit)" },
  memory: { type: "string", describe: "MiB of memory that one cell may take (default no limit)" },
} as const;

/** Where the queue of cells is. */
export const redisOption = {
  redis: {
    type: "string",
    describe: `Redis that has the queue of cells (default REDIS_URL, or else ${defaultRedis})`,
  },
} as const;

/** Options that change nothing in the results, so that they may be other ones when a run is resumed. */
export const executionOptions = {
  executor: {
    type: "string",
    describe: "where cells are trained: threads (default), inline, slurm or bullmq",
  },
  jobs: {
    type: "string",
    describe:
      "worker threads (default one a core); with slurm and bullmq cells at the same time (default no limit)",
  },
  sbatch: {
    type: "string",
    describe: 'more words for sbatch, such as --sbatch="--partition=short --mem=2G"',
  },
  chunk: { type: "string", describe: "cells that one array task of Slurm computes (default 1)" },
  ...redisOption,
  ...limitOptions,
} as const;

type Asked = Parameters<typeof executorOf> extends [unknown, ...infer Rest] ? Rest : never;

const executors = ["threads", "inline", "slurm", "bullmq"] as const;

/** Options that one executor alone has. */
const ownOptions: Readonly<Record<string, (typeof executors)[number]>> = {
  sbatch: "slurm",
  chunk: "slurm",
  redis: "bullmq",
};

/** The executor of the command line as `executorOf` takes it. Throws `E_USAGE`. */
export function executorAsked(args: Arguments, store: string, { err }: Terminal): Asked {
  const name = textOf(args, "executor");
  const jobs = countOf(args, "jobs");
  const limits: CellLimits = { timeout: positiveOf(args, "timeout"), memory: countOf(args, "memory") };
  const known = executors.find((one) => one === name);
  if (name !== undefined && known === undefined)
    fail("E_USAGE", `--executor: expected threads, inline, slurm or bullmq, got ${name}`);
  for (const [option, owner] of Object.entries(ownOptions))
    if (owner !== known && textOf(args, option) !== undefined)
      fail("E_USAGE", `--${option} is for --executor ${owner}`);
  switch (known) {
    case "slurm": {
      const sbatch = textOf(args, "sbatch")?.split(/\s+/).filter(Boolean);
      const chunk = countOf(args, "chunk");
      return [
        known,
        jobs,
        limits,
        { folder: `${store}.slurm`, ...(sbatch && { sbatch }), ...(chunk !== undefined && { chunk }) },
      ];
    }
    case "bullmq":
      return [known, jobs, limits, { redis: redisAsked(args), onNotice: err }];
    default:
      return [known, jobs ?? os.availableParallelism(), limits];
  }
}

/**
 * The Redis of the command line: `--redis` over `GRADSTAND_REDIS` over `REDIS_URL`. A command line is recorded in reports, so
 * that a password is taken from `REDIS_URL` alone. Throws `E_USAGE`.
 */
export function redisAsked(
  args: Arguments,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const asked = textOf(args, "redis") ?? (environment.GRADSTAND_REDIS || undefined);
  if (asked !== undefined && URL.canParse(asked) && new URL(asked).password !== "")
    fail(
      "E_USAGE",
      "--redis: expected a URL without a password, since command lines are recorded in reports; give the whole URL as REDIS_URL in the environment",
    );
  return asked ?? (environment.REDIS_URL || defaultRedis);
}

/** Arguments of a run without the options of other executors than the one that goes on with it. */
export function withoutOthers<Value>(
  args: Readonly<Record<string, Value>>,
  executor: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(args).filter(([option]) => (ownOptions[option] ?? executor) === executor),
  );
}
