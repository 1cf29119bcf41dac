import path from "node:path";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, textOf, type Arguments } from "../arguments.js";
import { executionOptions, withoutOthers } from "../executor-asked.js";
import { exitCodes } from "../exit-codes.js";
import { inWorkingFolder, plannedAgain } from "../planned-again.js";
import { printJson } from "../print-json.js";
import { reportName } from "../report-file.js";
import { hasReport, readRun, unfinishedRuns } from "../stored-runs.js";
import type { Terminal } from "../terminal.js";
import { runWith } from "./bench-run.js";
import type { Command } from "./command.js";
import { studyCommandOf } from "./study.js";

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
    const folder = path.resolve(folderOf(args));
    const run = readRun(folder, "bench resume");
    const studied = studyCommandOf(run);
    if (studied !== undefined)
      fail("E_USAGE", `bench resume: ${folder} is the folder of a study; go on with it by: ${studied}`);
    if (hasReport(run, folder)) {
      const file = path.join(folder, reportName);
      if (args.json) printJson("bench resume", { finished: true, file }, terminal);
      else terminal.err(`nothing to resume: the run in ${folder} has finished; its report is ${file}`);
      return exitCodes.nothingRan;
    }
    return inWorkingFolder(run, async () => {
      const executor = textOf(args, "executor");
      const kept = executor === undefined ? run.arguments : withoutOthers(run.arguments, executor);
      const again = await plannedAgain({ ...run, arguments: kept }, folder, args, "bench resume");
      terminal.err(`resuming: ${run.command}`);
      return runWith(again.args, terminal, run.command);
    });
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
