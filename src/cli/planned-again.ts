import fs from "node:fs";
import type { StoredRun } from "../bench/index.js";
import { fail } from "../errors/index.js";
import type { Arguments } from "./arguments.js";
import { namedFiles } from "./named-files.js";
import { runJobs, type Job } from "./run-jobs.js";
import { requireSamePlan } from "./stored-runs.js";

/** A run that was read from its folder and planned once more. */
export interface PlannedAgain {
  /** The arguments of `bench run` that go on with it. */
  readonly args: Arguments;
  /** Its job in that folder. */
  readonly job: Job;
  /** Every job of its command, which are one family. */
  readonly family: readonly Job[];
}

/**
 * Plans a stored run again, from the folder where its command was given, which must be the working folder (see
 * {@link inWorkingFolder}). `own` are arguments that take the place of those of then.
 *
 * @param folder the folder that the run was read from, absolute; a run of one idea may have been moved
 * @throws E_PLAN when the same command plans another run now
 * @throws E_USAGE when a run of several ideas was moved
 */
export async function plannedAgain(
  run: StoredRun,
  folder: string,
  own: Arguments,
  command: string,
): Promise<PlannedAgain> {
  const asked: Arguments = { ...run.arguments, store: run.store, ...given(own) };
  const planned = runJobs(asked, await namedFiles(asked));
  const moved = realPlace(folder) !== realPlace(run.folder);
  if (moved && planned.length > 1) {
    fail(
      "E_USAGE",
      `${command}: ${folder} was moved from ${run.folder}, and its run writes ${planned.length} reports; ` +
        `move it back, or start the run again with: ${run.command}`,
    );
  }
  const args = moved ? { ...asked, out: folder } : asked;
  const job = moved
    ? { ...planned[0]!, folder }
    : planned.find((one) => realPlace(one.folder) === realPlace(folder));
  if (job === undefined)
    fail("E_STORE", `the run in ${folder} writes its report elsewhere; start it again with: ${run.command}`);
  requireSamePlan(run, job);
  return { args, job, family: moved ? [job] : planned };
}

/** The options that were given, without what yargs adds. */
function given(args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !["_", "$0"].includes(name) && value !== undefined),
  );
}

function realPlace(folder: string): string {
  return fs.existsSync(folder) ? fs.realpathSync(folder) : folder;
}

/** Does something where the command of a run was given, as far as that folder is still there. */
export async function inWorkingFolder<Result>(run: StoredRun, work: () => Promise<Result>): Promise<Result> {
  const here = process.cwd();
  if (fs.existsSync(run.workingFolder)) process.chdir(run.workingFolder);
  try {
    return await work();
  } finally {
    process.chdir(here);
  }
}
