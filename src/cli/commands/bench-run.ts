import { executorOf, runFileName } from "../../bench/index.js";
import { unfinishedCells } from "../../bench/report/figures/unfinished.js";
import { GradstandError, type ErrorCode } from "../../errors/index.js";
import { commonOptions, requireKnown, textOf, type Arguments } from "../arguments.js";
import { executionOptions, executorAsked } from "../executor-asked.js";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interruptible.js";
import { namedFiles } from "../named-files.js";
import { prepareFolder } from "../output-folder.js";
import { printJson } from "../print-json.js";
import { printEnding, type FinishedRun } from "../render/run-ending.js";
import { printRun } from "../render/run-summary.js";
import { reportName } from "../report-file.js";
import { nameBeside } from "../report-writings.js";
import { runFamily } from "../run-family.js";
import { saveModels } from "../save-models.js";
import { runJobs, type Job } from "../run-jobs.js";
import { resolveSettings } from "../settings/index.js";
import { beginRun, defaultStore, endRun, resumeLine, storedRunOf, storeFor } from "../stored-runs.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** What decides a run. */
export const runOptions = {
  preset: { type: "string", describe: "protocol: standard (default), seed or quick" },
  seeds: { type: "string", describe: "number of paired seeds" },
  train: { type: "string", describe: "training series, instead of the preset's" },
  validation: { type: "string", describe: "validation series, instead of the preset's" },
  test: { type: "string", describe: "test series, instead of the preset's" },
  epochs: { type: "string", describe: "epochs, instead of the preset's" },
  "tuning-seeds": { type: "string", describe: "number of seeds that only tune, instead of the preset's" },
  sequential: {
    type: "string",
    describe:
      "add seeds under a declared plan, START,STEP,MOST such as 8,4,32; stops when the evidence suffices",
  },
  grid: {
    type: "string",
    describe: "values to try, lr=0.001,0.01 or rank=2,4 (an option of the idea); may be repeated",
  },
  option: {
    type: "string",
    describe: "an option of the idea, name=value; may be repeated",
  },
  controls: {
    type: "string",
    describe:
      "the idea's controls as arms: all but the costly ones that bench list shows by name, or names with commas between them",
  },
  track: {
    type: "string",
    describe: "another track than the idea's own: a name, or a file; may be repeated",
  },
  tracks: { type: "string", describe: "several tracks, separated by commas" },
  model: { type: "string", describe: "another model than the idea's own: a name, or a file" },
  out: { type: "string", describe: "folder of the report (default reports/IDEA)" },
  store: {
    type: "string",
    describe: "folder of finished cells (default .gradstand/cells)",
  },
  "save-model": {
    type: "boolean",
    describe:
      "keep the trained parameters of the final models, those of trained controls too, as models/*.safetensors beside the report",
  },
  ...executionOptions,
} as const;

/** What ends a run that can go on later: it was stopped, or the machine failed. */
const resumable: ReadonlySet<ErrorCode> = new Set([
  "E_INTERRUPTED",
  "E_TIMEOUT",
  "E_CELL",
  "E_CRASH",
  "E_STORE",
  "E_OUTPUT",
  "E_SLURM",
  "E_REDIS",
]);

/** `gradstand bench run IDEA…`: train, compare, check the mechanism, report. */
export const benchRun: Command = {
  path: ["bench", "run"],
  positionals: "IDEA [IDEA..]",
  summary: "train ideas beside a tuned baseline and write their reports",
  describe:
    "Checks the idea's mathematics, trains the idea beside a tuned baseline on paired seeds, checks its mechanism on the trained models, and " +
    "writes bench_report.json with both verdicts, and bench_report.html for a reader. Several ideas or tracks are one family: Holm's adjusted p decides. Finished cells are stored: an interrupted run goes on where it stopped.",
  options: runOptions,
  example: "bench run moment-rank2 --preset quick",
  async run(given: Arguments, terminal: Terminal, line: string): Promise<number> {
    requireKnown(given, "bench run", [...Object.keys(runOptions), ...Object.keys(commonOptions)], []);
    const { args } = await resolveSettings(given, runOptions);
    return runWith(args, terminal, line);
  },
};

/** Runs what settled arguments ask for. */
export async function runWith(args: Arguments, terminal: Terminal, line: string): Promise<number> {
  const jobs = runJobs(args, await namedFiles(args));
  const storeFolder = textOf(args, "store") ?? defaultStore;
  const asked = executorAsked(args, storeFolder, terminal);
  for (const { folder } of jobs) {
    for (const name of [runFileName, reportName, nameBeside(reportName, ".html")])
      prepareFolder(folder, name);
  }
  const store = storeFor(storeFolder, terminal);
  const runs = jobs.map((job) => {
    const run = storedRunOf(job, storeFolder, args, line);
    return { job, run, cells: beginRun(run, store) };
  });
  const interrupt = interruptible(terminal);
  const executor = executorOf(jobs[0]!.plan, ...asked);
  const settings = { executor, signal: interrupt.signal, command: line };
  const finished: FinishedRun[] = [];
  try {
    await runFamily(runs, settings, terminal, (run, at) => (finished[at] = run));
    for (const [at, { job, run }] of runs.entries()) {
      const unfinished = unfinishedCells(finished[at]!.report.bench_report).length;
      if (unfinished > 0) {
        terminal.err(unfinishedLine(job, unfinished, args["save-model"] === true));
        continue;
      }
      if (args["save-model"] === true) saveModels(finished[at]!, job.folder, store, terminal);
      endRun(run);
    }
  } catch (error) {
    if (error instanceof GradstandError && resumable.has(error.code))
      terminal.err(
        `To go on where it stopped: ${resumeLine(jobs[Math.min(finished.length, jobs.length - 1)]!.folder)}`,
      );
    throw error;
  } finally {
    interrupt.end();
    await executor.close();
    // What has finished is shown even when a later idea fails.
    if (finished.length > 0) (args.json ? printReports : printRuns)(finished, terminal);
  }
  return finished.some(({ report }) => unfinishedCells(report.bench_report).length > 0)
    ? exitCodes.internal
    : exitCodes.done;
}

/** That a run has cells that did not end, and what tries them again. */
function unfinishedLine({ name, folder }: Job, cells: number, savesModels: boolean): string {
  const [what, them] = cells === 1 ? ["cell", "it"] : ["cells", "them"];
  const models = savesModels ? "; models are saved once every cell has ended" : "";
  return `${name}: ${cells} ${what} did not end${models}. To try ${them} again: ${resumeLine(folder)}`;
}

function printRuns(finished: readonly FinishedRun[], terminal: Terminal): void {
  for (const { report, file } of finished) printRun(report, file, terminal);
  printEnding(finished, terminal);
}

function printReports(finished: readonly FinishedRun[], terminal: Terminal): void {
  const reports = finished.map(({ plan, file, report }) => ({
    idea: plan.idea.name,
    track: plan.track.name,
    file,
    report,
  }));
  printJson("bench run", { reports }, terminal);
}
