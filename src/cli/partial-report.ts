import path from "node:path";
import { executorOf, partialRun, type TuningProgress } from "../bench/index.js";
import { buildReport, serializeReport } from "../bench/report/index.js";
import { writeWhole } from "./output-folder.js";
import { inWorkingFolder, plannedAgain } from "./planned-again.js";
import { requireHolds } from "./require-holds.js";
import { readRun, storeFor } from "./stored-runs.js";
import type { Terminal } from "./terminal.js";

/** The file of a report that was made before its run had ended, beside where the whole one goes. */
export const partialName = "bench_report.partial.json";

/** What came of making a partial report: its file, or how far the tuning is when nothing can be compared yet. */
export type PartialReport =
  | { readonly kind: "report"; readonly file: string; readonly seeds: number; readonly planned: number }
  | { readonly kind: "tuning"; readonly tuning: readonly TuningProgress[] };

/**
 * Writes the report of a run from what is stored at this moment, without training anything. Throws `E_USAGE` where the folder
 * has no run, and what planning, the store and the computation throw.
 */
export async function writePartialReport(folder: string, terminal: Terminal): Promise<PartialReport> {
  const command = "bench report --partial";
  const place = path.resolve(folder);
  const stored = readRun(place, command);
  return inWorkingFolder(stored, async () => {
    const { job } = await plannedAgain(stored, place, {}, command);
    const executor = executorOf(job.plan);
    try {
      const run = await partialRun(job.plan, storeFor(stored.store, terminal), executor);
      if (run.kind === "tuning") return run;
      const { seeds, planned } = run;
      const provenance = { ...run.record.provenance, command: stored.command };
      const report = buildReport({ ...run.record, provenance });
      requireHolds(report);
      const file = path.join(place, partialName);
      writeWhole(file, serializeReport({ ...report }));
      return { kind: "report", file, seeds, planned };
    } finally {
      await executor.close();
    }
  });
}
