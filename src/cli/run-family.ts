import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { runPlan, type CellStore, type Executor, type RunRecord, type RunSettings } from "../bench/index.js";
import { sharePlaces } from "../bench/executors/index.js";
import { recomputation, type Recomputation } from "../bench/report/figures/recomputation.js";
import { buildFamilyReport, reportView, serializeReport, type ReportV2 } from "../bench/report/index.js";
import { familyProgress } from "./family-progress.js";
import { writeWhole } from "./output-folder.js";
import type { FinishedRun } from "./render/run-ending.js";
import { reportName } from "./report-file.js";
import { writePage } from "./report-writings.js";
import { requireHolds } from "./require-holds.js";
import type { Job } from "./run-jobs.js";
import type { Terminal } from "./terminal.js";

/** A job and where its cells are kept. */
export interface FamilyJob {
  readonly job: Job;
  readonly cells: CellStore;
}

/** How the jobs of a family are carried out; the executor is closed by whoever made it. */
export type FamilySettings = Pick<RunSettings, "signal" | "command"> & { readonly executor: Executor };

/** How a run ended. */
type Outcome = { readonly record: RunRecord } | { readonly error: unknown };

/**
 * Runs the jobs of one command, which are one family. All begin at once and share the places of the executor, the first job before
 * the second and so on. Each report is written as soon as its run and all before it have finished, with the p of those, and again with
 * all of them when the family is complete; `finished` is told every time, in the order of the jobs.
 *
 * A failure stops the runs after its own; those before it go on, and are written. Throws the failure of the earliest run that has one, and
 * what writing a report throws.
 */
export async function runFamily(
  jobs: readonly FamilyJob[],
  settings: FamilySettings,
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
  const write = async (at: number): Promise<void> => {
    const { job } = jobs[at]!;
    const report = buildFamilyReport(plans, runs, at, built);
    await nextTurn();
    finished({ plan: job.plan, file: await writeReport(report, job.folder, verified), report }, at);
    await nextTurn();
  };
  const { outcomes, stop } = beginAll(jobs, settings, terminal);
  try {
    for (const [at, outcome] of outcomes.entries()) {
      const ended = await outcome;
      if ("error" in ended) throw ended.error;
      runs[at] = ended.record;
      await write(at);
    }
  } finally {
    stop();
    await Promise.all(outcomes);
  }
  for (let at = 0; at < jobs.length - 1; at++) await write(at);
}

/** Begins the runs, each of which stops those after it when it fails, and the signal all of them. */
function beginAll(
  jobs: readonly FamilyJob[],
  { executor, signal, command }: FamilySettings,
  terminal: Terminal,
): { readonly outcomes: readonly Promise<Outcome>[]; stop(): void } {
  const views = jobs.length === 1 ? [executor] : sharePlaces(executor, jobs.length);
  const names = jobs.map(({ job: { name } }) => name);
  const displays = familyProgress(names, terminal, executor);
  const controllers = jobs.map(() => new AbortController());
  const stopFrom = (first: number): void => controllers.slice(first).forEach((one) => one.abort());
  const stopAll = (): void => stopFrom(0);
  signal?.addEventListener("abort", stopAll, { once: true });
  if (signal?.aborted) stopAll();
  const going = new Set(jobs.keys());

  const run = async (at: number): Promise<Outcome> => {
    const [{ job, cells }, display, view] = [jobs[at]!, displays[at]!, views[at]!];
    try {
      const { signal } = controllers[at]!;
      const onProgress = display.update.bind(display);
      const record = await runPlan(job.plan, { executor: view, store: cells, signal, command, onProgress });
      return { record };
    } catch (error) {
      return { error };
    } finally {
      going.delete(at);
      display.end();
      if (view !== executor) await view.close();
    }
  };
  const outcomes = [...jobs.keys()].map(async (at) => {
    const outcome = await run(at);
    if ("error" in outcome && !controllers[at]!.signal.aborted) {
      stopFrom(at + 1);
      const before = names.filter((_, earlier) => earlier < at && going.has(earlier));
      if (before.length > 0)
        terminal.err(`${names[at]} failed: ${messageOf(outcome.error)}; still going: ${before.join(", ")}`);
    }
    return outcome;
  });
  return {
    outcomes,
    stop: () => {
      signal?.removeEventListener("abort", stopAll);
      stopAll();
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Writes a report, which must verify, and its page into a folder, and gives the report's path. Other work has its turn in between. */
async function writeReport(report: ReportV2, folder: string, costly: Recomputation): Promise<string> {
  requireHolds(report, costly);
  await nextTurn();
  const file = path.join(folder, reportName);
  writeWhole(file, serializeReport(report));
  writePage(reportView(report, reportName, costly), folder);
  return file;
}
