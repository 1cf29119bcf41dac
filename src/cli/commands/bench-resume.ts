import fs from "node:fs";
import path from "node:path";
import type { StoredRun } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { namedFiles } from "../named-files.js";
import { printJson } from "../print-json.js";
import { reportName } from "../report-file.js";
import { runJobs } from "../run-jobs.js";
import { hasReport, readRun, requireSamePlan, unfinishedRuns } from "../stored-runs.js";
import type { Terminal } from "../terminal.js";
import { benchRun, executionOptions } from "./bench-run.js";
import type { Command } from "./command.js";

/** Where `bench run` writes its reports. */
const reports = "reports";

/** `gradstand bench resume [FOLDER]`: goes on with a run where it stopped. */
export const benchResume: Command = {
  path: ["bench", "resume"],
  positionals: "[FOLDER]",
  summary: "go on with a run where it stopped",
  describe:
    "Goes on with the run whose report goes to FOLDER: what its plan says, less the cells that are stored. The report has the values " +
    "that it would have without the interruption. Without FOLDER, the one unfinished run below reports is taken.",
  options: executionOptions,
  example: "bench resume reports/moment-rank2",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "bench resume", [...Object.keys(executionOptions), ...Object.keys(commonOptions)], []);
    const folder = folderOf(args);
    const run = readRun(folder, "bench resume");
    if (hasReport(run, folder)) {
      const file = path.join(folder, reportName);
      if (args.json) printJson("bench resume", { finished: true, file }, terminal);
      else terminal.err(`nothing to resume: the run in ${folder} has finished; its report is ${file}`);
      return exitCodes.nothingRan;
    }
    return inFolder(run.workingFolder, () => goOn(run, path.resolve(folder), args, terminal));
  },
};

function folderOf(args: Arguments): string {
  const places = (args._ as unknown[]).map(String);
  if (places.length > 1) fail("E_USAGE", `bench resume: expected one folder, got ${places.join(" ")}`);
  if (places.length === 1) return places[0]!;
  const found = unfinishedRuns(reports, "bench resume");
  if (found.length === 1) return found[0]!;
  return fail(
    "E_USAGE",
    found.length === 0
      ? `bench resume: there is no unfinished run below ${reports}; name the folder of its report`
      : `bench resume: there are ${found.length} unfinished runs; name one of ${found.join(", ")}`,
  );
}

async function goOn(run: StoredRun, folder: string, args: Arguments, terminal: Terminal): Promise<number> {
  const own = Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !["_", "$0"].includes(name) && value !== undefined),
  );
  const asked: Arguments = { ...run.arguments, store: run.store, ...own };
  const planned = runJobs(asked, await namedFiles(asked));
  const moved = realPlace(folder) !== realPlace(run.folder);
  if (moved && planned.length > 1) {
    fail(
      "E_USAGE",
      `bench resume: ${folder} was moved from ${run.folder}, and its run writes ${planned.length} reports; ` +
        `move it back, or start the run again with: ${run.command}`,
    );
  }
  const job = moved ? planned[0]! : planned.find((other) => realPlace(other.folder) === realPlace(folder));
  if (job === undefined) {
    fail("E_STORE", `the run in ${folder} writes its report elsewhere; start it again with: ${run.command}`);
  }
  requireSamePlan(run, job);
  terminal.err(`resuming: ${run.command}`);
  return benchRun.run(moved ? { ...asked, out: folder } : asked, terminal, run.command);
}

function realPlace(folder: string): string {
  return fs.existsSync(folder) ? fs.realpathSync(folder) : path.resolve(folder);
}

/** Does something in another working folder, where there still is one. */
async function inFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const here = process.cwd();
  if (fs.existsSync(folder) && folder !== here) process.chdir(folder);
  try {
    return await work();
  } finally {
    if (process.cwd() !== here) process.chdir(here);
  }
}
