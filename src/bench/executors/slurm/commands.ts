import { execFile } from "node:child_process";
import { fail, GradstandError } from "../../../errors/index.js";
import type { Assignment } from "./spool.js";

/** What a Slurm command printed, or why it did not. */
interface Answer {
  readonly out: string;
  /** undefined where it went well. */
  readonly failed?: string;
  readonly missing?: boolean;
}

/** Milliseconds that a Slurm command gets: a controller that is overloaded answers late. */
const PATIENCE = 60_000;

function ask(command: string, words: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(command, words, { timeout: PATIENCE }, (error, stdout, stderr) => {
      if (error === null) return resolve({ out: stdout });
      const said = stderr.trim() || error.message;
      resolve({ out: stdout, failed: said, missing: (error as { code?: unknown }).code === "ENOENT" });
    });
  });
}

/**
 * Hands an array job in, and gives its number.
 *
 * @throws E_SLURM when there is no sbatch, or it refuses
 */
export async function submit(script: string, words: readonly string[]): Promise<string> {
  const { out, failed, missing } = await ask("sbatch", ["--parsable", ...words, script]);
  if (missing) {
    fail(
      "E_SLURM",
      "there is no sbatch on the PATH; run this where jobs are submitted, or leave --executor slurm out",
    );
  }
  if (failed !== undefined)
    fail(
      "E_SLURM",
      `sbatch refused the job: ${failed}; --sbatch="…" adds what your cluster asks for, such as a partition`,
    );
  const job = /^(\d+)(?:;|$)/m.exec(out.trim())?.[1];
  return (
    job ??
    fail("E_SLURM", `expected the number of a job from sbatch --parsable, got ${JSON.stringify(out.trim())}`)
  );
}

/** States of an array task that will change no more. */
const ENDED = /^(BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|TIMEOUT)/;

/** An array task that waits or runs. */
export interface Queued {
  readonly state: string;
  /** Why it waits, in a word of Slurm's and what may come after it; empty where nothing is said. */
  readonly reason: string;
}

/** The array tasks of these jobs that wait or run, by `JOB_INDEX`. Throws what squeue says when it cannot tell. */
export async function stillQueued(jobs: readonly string[]): Promise<ReadonlyMap<string, Queued>> {
  const { out, failed } = await ask("squeue", ["-h", "-r", "-j", jobs.join(","), "-o", "%F_%K %T %r"]);
  // A job that Slurm has forgotten has ended.
  if (failed !== undefined && !/invalid job id/i.test(failed))
    throw new GradstandError("E_SLURM", `squeue cannot tell what became of the jobs: ${failed}`);
  const lines = out.split("\n").map((line) => line.trim().split(/\s+/));
  return new Map(
    lines.flatMap(([name, state, ...reason]): [string, Queued][] =>
      name && state && !ENDED.test(state) ? [[name, { state, reason: reason.join(" ") }]] : [],
    ),
  );
}

/** How an array task ended as the accounting knows it, such as `TIMEOUT`; undefined where there is no accounting. */
export async function endOf({ job, index }: Assignment): Promise<string | undefined> {
  const { out, failed } = await ask("sacct", ["-n", "-X", "-P", "-j", `${job}_${index}`, "-o", "State"]);
  if (failed !== undefined) return undefined;
  return /^[A-Z_]+/.exec(out.trim())?.[0];
}

/** Asks Slurm to end jobs; whether it does is not waited for. */
export function cancel(jobs: readonly string[]): void {
  if (jobs.length > 0) void ask("scancel", jobs);
}
