import path from "node:path";
import { runPlan, type CellStore, type RunRecord, type RunSettings } from "../bench/index.js";
import { recomputation, type Recomputation } from "../bench/report/figures/recomputation.js";
import { buildFamilyReport, reportView, serializeReport, type ReportV2 } from "../bench/report/index.js";
import { writeWhole } from "./output-folder.js";
import type { FinishedRun } from "./render/run-ending.js";
import { reportName } from "./report-file.js";
import { writePage } from "./report-writings.js";
import { requireHolds } from "./require-holds.js";
import type { Job } from "./run-jobs.js";
import { runProgress } from "./run-progress.js";
import type { Terminal } from "./terminal.js";

/** A job and where its cells are kept. */
export interface FamilyJob {
  readonly job: Job;
  readonly cells: CellStore;
}

/**
 * Runs the jobs of one command, which are one family. Each report is written as soon as its run has finished, with the p of
 * those finished so far, and again with all of them when the family is complete; `finished` is told every time.
 */
export async function runFamily(
  jobs: readonly FamilyJob[],
  settings: RunSettings,
  terminal: Terminal,
  finished: (run: FinishedRun, at: number) => void,
): Promise<void> {
  const plans = jobs.map(
    ({
      job: {
        plan: { idea, track, model },
      },
    }) => ({
      idea: idea.name,
      track: track.name,
      model: model.name,
    }),
  );
  const runs: (RunRecord | undefined)[] = jobs.map(() => undefined);
  /** What is built is verified with figures of its own. */
  const [built, verified] = [recomputation(), recomputation()];
  const write = (at: number): void => {
    const { job } = jobs[at]!;
    const report = buildFamilyReport(plans, runs, at, built);
    finished({ plan: job.plan, file: writeReport(report, job.folder, verified), report }, at);
  };
  for (const [at, { job, cells }] of jobs.entries()) {
    runs[at] = await run(job, { ...settings, store: cells }, terminal);
    write(at);
  }
  for (let at = 0; at < jobs.length - 1; at++) write(at);
}

async function run({ plan, name }: Job, settings: RunSettings, terminal: Terminal): Promise<RunRecord> {
  const progress = runProgress(name, terminal);
  try {
    return await runPlan(plan, { ...settings, onProgress: (now) => progress.update(now) });
  } finally {
    progress.end();
  }
}

/** Writes a report, which must verify, and its page into a folder, and gives the report's path. */
function writeReport(report: ReportV2, folder: string, costly: Recomputation): string {
  requireHolds(report, costly);
  const file = path.join(folder, reportName);
  writeWhole(file, serializeReport(report));
  writePage(reportView(report, reportName, costly), folder);
  return file;
}
