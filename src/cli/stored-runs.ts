import fs from "node:fs";
import path from "node:path";
import {
  decodeRun,
  encodeRun,
  openStore,
  plainPlan,
  planDifferences,
  registerRun,
  runFileName,
  type CellStore,
  type StoredRun,
} from "../bench/index.js";
import { fail } from "../errors/index.js";
import type { Json } from "../ideas/index.js";
import type { Arguments } from "./arguments.js";
import { writeWhole } from "./output-folder.js";
import { reportName } from "./report-file.js";
import type { Job } from "./run-jobs.js";
import { shellLine } from "./shell-line.js";
import type { Terminal } from "./terminal.js";

/** The folder of finished cells where none is named. */
export const defaultStore = path.join(".gradstand", "cells");

/** Opens the store of a command; it tells about every file in a cell's place that is none. Throws `E_STORE`. */
export function storeFor(folder: string, { err }: Terminal): CellStore {
  return openStore(folder, {
    onNotice: ({ file, movedTo, reason }) =>
      err(
        `the stored cell ${file} cannot be used (${reason}); it was moved to ${movedTo} and is computed again`,
      ),
  });
}

/** What a job's file says: all that `bench resume` needs. */
export function storedRunOf(
  { plan, folder }: Job,
  store: string,
  args: Arguments,
  command: string,
): StoredRun {
  return storedPlan(plainPlan(plan), folder, store, args, command);
}

/** What a file says of a plan, of a run or of a study, that has not finished: `bench gc` keeps its cells. */
export function storedPlan(
  plan: StoredRun["plan"],
  folder: string,
  store: string,
  args: Arguments,
  command: string,
): StoredRun {
  return {
    command,
    arguments: JSON.parse(JSON.stringify(args)) as Record<string, Json>,
    workingFolder: process.cwd(),
    folder: path.resolve(folder),
    store: path.resolve(store),
    plan,
    finished: false,
  };
}

/**
 * Writes a run's file into the folder of its report, and enters it into its store, which is given back as the run should use
 * it. Throws `E_OUTPUT` and `E_STORE`.
 */
export function beginRun(run: StoredRun, store: CellStore): CellStore {
  writeRun(run);
  return registerRun(run, store);
}

/** Notes that the report of a run is written. Throws `E_OUTPUT`. */
export function endRun(run: StoredRun): void {
  writeRun({ ...run, finished: true });
}

function writeRun(run: StoredRun): void {
  writeWhole(path.join(run.folder, runFileName), encodeRun(run));
}

/** Reads the run of a folder. Throws `E_USAGE` where there is none, `E_STORE` where its file cannot be used. */
export function readRun(folder: string, command: string): StoredRun {
  const file = path.join(folder, runFileName);
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    return fail(
      "E_USAGE",
      `${command}: cannot read ${file}: ${(error as Error).message}; expected the folder of a run's report`,
      { cause: error },
    );
  }
  return decodeRun(text, file);
}

/** The command that goes on with the run of a report folder. */
export function resumeLine(folder: string): string {
  return shellLine(["npx", "gradstand", "bench", "resume", folder]);
}

/** Whether nothing is left to do: the run says that it has finished, and its report is there. */
export function hasReport({ finished }: StoredRun, folder: string): boolean {
  return finished && fs.existsSync(path.join(folder, reportName));
}

/** The folders below one whose run has not finished; a file that cannot be used is no run. */
export function unfinishedRuns(folder: string, command: string): readonly string[] {
  return foldersIn(folder)
    .flatMap((place) => (isRun(place) ? [place] : foldersIn(place).filter(isRun)))
    .filter((place) => !hasReport(readRun(place, command), place));
}

const isRun = (folder: string): boolean => fs.existsSync(path.join(folder, runFileName));

/** The folders in one: an idea on several tracks has a folder for each of them in its own. */
function foldersIn(folder: string): string[] {
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(folder, name));
}

/** Throws `E_PLAN` with what differs when a job is not what its run's file planned. */
export function requireSamePlan(run: StoredRun, job: Job): void {
  const differences = planDifferences(run.plan, plainPlan(job.plan));
  if (differences.length === 0) return;
  fail(
    "E_PLAN",
    `the run in ${run.folder} cannot be resumed, since the same command plans another run now (${differences.join("; ")}); ` +
      `start it anew with: ${run.command}`,
  );
}
