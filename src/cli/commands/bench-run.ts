import os from "node:os";
import path from "node:path";
import { openStore, planRun, runPlan, type Plan } from "../../bench/index.js";
import { buildReport, serializeReport, verifyReport, type ReportV2 } from "../../bench/report/index.js";
import { fail, GradstandError } from "../../errors/index.js";
import { commonOptions, countOf, pairsOf, requireKnown, textOf, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { informativeCommand } from "../informative-command.js";
import { prepareFolder, writeWhole } from "../output-folder.js";
import { printRun } from "../render/run-summary.js";
import { verdictSentence } from "../render/verdict-sentence.js";
import { runProgress } from "../run-progress.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  preset: { type: "string", requiresArg: true, describe: "protocol: seed (default) or quick" },
  seeds: { type: "string", requiresArg: true, describe: "number of paired seeds" },
  train: { type: "string", requiresArg: true, describe: "training series, instead of the preset's" },
  test: { type: "string", requiresArg: true, describe: "test series, instead of the preset's" },
  epochs: { type: "string", requiresArg: true, describe: "epochs, instead of the preset's" },
  option: {
    type: "string",
    requiresArg: true,
    describe: "an option of the idea, name=value; may be repeated",
  },
  track: { type: "string", requiresArg: true, describe: "another track than the idea's own" },
  model: { type: "string", requiresArg: true, describe: "another model than the idea's own" },
  out: { type: "string", requiresArg: true, describe: "folder of the report (default reports/IDEA)" },
  store: {
    type: "string",
    requiresArg: true,
    describe: "folder of finished cells (default .gradstand/cells)",
  },
  jobs: { type: "string", requiresArg: true, describe: "worker threads (default one a core)" },
} as const;

/** The file of a report in its folder. */
const reportName = "bench_report.json";

/** A plan and where its report goes. */
interface Job {
  readonly plan: Plan;
  readonly folder: string;
}

/** A run that has ended, and its report's file. */
interface Done {
  readonly job: Job;
  readonly file: string;
  readonly report: ReportV2;
}

/** `gradstand bench run IDEA…`: train, compare, check the mechanism, report. */
export const benchRun: Command = {
  path: ["bench", "run"],
  positionals: "IDEA [IDEA..]",
  summary: "train ideas beside a tuned baseline and write their reports",
  describe:
    "Checks the idea's mathematics, trains the idea beside a tuned baseline on paired seeds, checks its mechanism on the trained models, and " +
    "writes bench_report.json with both verdicts. Finished cells are stored: an interrupted run goes on where it stopped.",
  options,
  example: "bench run moment-rank2 --preset quick",
  async run(args: Arguments, terminal: Terminal, line: string): Promise<number> {
    requireKnown(args, "bench run", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const jobs = readJobs(args);
    const storeFolder = textOf(args, "store") ?? path.join(".gradstand", "cells");
    const workers = countOf(args, "jobs") ?? os.availableParallelism();
    for (const { folder } of jobs) prepareFolder(folder, reportName);
    const store = openStore(storeFolder, {
      onNotice: ({ file, movedTo, reason }) =>
        terminal.err(
          `the stored cell ${file} cannot be used (${reason}); it was moved to ${movedTo} and is computed again`,
        ),
    });
    const interrupt = interruptible(terminal);
    const done: Done[] = [];
    try {
      for (const job of jobs) {
        const progress = runProgress(job.plan.idea.name, terminal);
        try {
          const run = await runPlan(job.plan, {
            store,
            jobs: workers,
            signal: interrupt.signal,
            command: line,
            onProgress: (now) => progress.update(now),
          });
          const report = buildReport(run);
          requireHolds(report);
          const file = path.join(job.folder, reportName);
          writeWhole(file, serializeReport(report));
          done.push({ job, file, report });
        } finally {
          progress.end();
        }
      }
    } catch (error) {
      if (error instanceof GradstandError && error.code === "E_INTERRUPTED")
        terminal.err(`To go on where it stopped: ${line}`);
      throw error;
    } finally {
      interrupt.end();
    }
    if (args.json) {
      const reports = done.map(({ job, file, report }) => ({
        idea: job.plan.idea.name,
        file,
        report: JSON.parse(serializeReport(report)) as unknown,
      }));
      terminal.out(JSON.stringify({ schemaVersion: 1, command: "bench run", reports }, null, 2));
    } else {
      for (const { report, file } of done) printRun(report, file, terminal);
      printEnding(done, terminal);
    }
    return exitCodes.done;
  },
};

function readJobs(args: Arguments): Job[] {
  const names = (args._ as unknown[]).map(String);
  if (names.length === 0)
    fail("E_USAGE", "bench run: expected the name of an idea; `gradstand bench list` shows them");
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) fail("E_USAGE", `bench run: ${twice} is named twice`);
  const out = textOf(args, "out");
  const [seeds, train, test, epochs] = [
    countOf(args, "seeds"),
    countOf(args, "train"),
    countOf(args, "test"),
    countOf(args, "epochs"),
  ];
  const [preset, track, model] = [textOf(args, "preset"), textOf(args, "track"), textOf(args, "model")];
  return names.map((idea) => ({
    plan: planRun({
      idea,
      options: pairsOf(args, "option"),
      ...(preset !== undefined && { preset }),
      ...(track !== undefined && { track }),
      ...(model !== undefined && { model }),
      ...(seeds !== undefined && { seeds }),
      sizes: {
        ...(train !== undefined && { trainSize: train }),
        ...(test !== undefined && { testSize: test }),
        ...(epochs !== undefined && { epochs }),
      },
    }),
    folder: out === undefined ? path.join("reports", idea) : names.length === 1 ? out : path.join(out, idea),
  }));
}

/** A report that does not verify would be a fault of this package: it is not written. */
function requireHolds(report: ReportV2): void {
  const { holds, faults } = verifyReport(report);
  if (!holds)
    fail(
      "E_INTERNAL",
      `the report does not verify: ${faults.map(({ path, reported, implied, why }) => `${path} is ${JSON.stringify(reported)}, should be ${JSON.stringify(implied)} (${why})`).join("; ")}`,
    );
}

/** Turns the first Ctrl-C into an orderly stop; a second one ends the process at once. */
function interruptible(terminal: Terminal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    terminal.err("\nstopping: finished cells are kept; Ctrl-C again stops at once");
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    end: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}

/** The last lines: each verdict in one sentence, which ends with the next command. */
function printEnding(runs: readonly Done[], { out, colour }: Terminal): void {
  if (runs.some(({ report }) => !report.bench_report.informative)) {
    out(
      colour.dim(
        "\nAn informative answer takes more data and epochs, and much longer; its strict verdict stays capped, because the " +
          "presets of this version choose the learning rate on the test part.",
      ),
    );
  }
  out("");
  for (const { job, file, report } of runs) {
    const next = report.bench_report.informative
      ? `npx gradstand bench verify ${file}`
      : informativeCommand(job.plan);
    out(`${colour.bold(job.plan.idea.name)}: ${verdictSentence(report, next)}`);
  }
}
