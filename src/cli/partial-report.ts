import fs from "node:fs";
import path from "node:path";
import {
  executorOf,
  finalCells,
  partialRun,
  type Config,
  type Plan,
  type RunRecord,
  type TuningProgress,
} from "../bench/index.js";
import { benchOf, buildReport, serializeReport } from "../bench/report/index.js";
import { writeWhole } from "./output-folder.js";
import { inWorkingFolder, plannedAgain } from "./planned-again.js";
import { readReport, reportName } from "./report-file.js";
import { requireHolds } from "./require-holds.js";
import type { Job } from "./run-jobs.js";
import { readRun, storeFor } from "./stored-runs.js";
import type { Terminal } from "./terminal.js";

/** The file of a report that was made before its run had ended, beside where the whole one goes. */
export const partialName = "bench_report.partial.json";

/** What came of making a partial report: its file, or how far the tuning is when nothing can be compared yet. */
export type PartialReport =
  | { readonly kind: "report"; readonly file: string; readonly seeds: number; readonly planned: number }
  | { readonly kind: "tuning"; readonly tuning: readonly TuningProgress[] };

/** The comparisons of the command, each with the p of its report where that is written and of this plan; else it has not finished. */
function familyOf(family: readonly Job[], own: Job): NonNullable<RunRecord["family"]> {
  return {
    own: family.indexOf(own),
    members: family.map(({ plan, folder }) => ({
      idea: plan.idea.name,
      track: plan.track.name,
      model: plan.model.name,
      pValue: pOf(plan, path.join(folder, reportName)),
    })),
  };
}

function pOf(plan: Plan, file: string): number | null {
  if (!fs.existsSync(file)) return null;
  const bench = benchOf(readReport(file, "bench report --partial"));
  if (bench.bench_version === 1) return null;
  const arm = plan.arms.find(({ name }) => name === "idea")!;
  const keys = new Set(bench.cells.map(({ key }) => key));
  const planned = finalCells(plan, arm, bench.idea.best_cfg as Config);
  return planned.every(({ key }) => keys.has(key)) ? bench.statistics.sign_flip.p_value : null;
}

/**
 * Writes the report of a run from what is stored at this moment, without training anything. Throws `E_USAGE` where the folder
 * has no run, and what planning, the store and the computation throw.
 */
export async function writePartialReport(folder: string, terminal: Terminal): Promise<PartialReport> {
  const command = "bench report --partial";
  const place = path.resolve(folder);
  const stored = readRun(place, command);
  return inWorkingFolder(stored, async () => {
    const { job, family } = await plannedAgain(stored, place, {}, command);
    const executor = executorOf(job.plan);
    try {
      const run = await partialRun(job.plan, storeFor(stored.store, terminal), executor);
      if (run.kind === "tuning") return run;
      const { seeds, planned } = run;
      const provenance = { ...run.record.provenance, command: stored.command };
      const report = buildReport({ ...run.record, provenance, family: familyOf(family, job) });
      requireHolds(report);
      const file = path.join(place, partialName);
      writeWhole(file, serializeReport({ ...report }));
      return { kind: "report", file, seeds, planned };
    } finally {
      await executor.close();
    }
  });
}
