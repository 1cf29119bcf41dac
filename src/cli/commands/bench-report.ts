import path from "node:path";
import type { TuningProgress } from "../../bench/index.js";
import { phraseText, plainVerdict, reportView } from "../../bench/report/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, textOf, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { prepareFolder } from "../output-folder.js";
import { printJson } from "../print-json.js";
import { printReportSummary } from "../render/report-summary.js";
import { computedFrom, readReport, reportFileOf } from "../report-file.js";
import { hasReport, readRun } from "../stored-runs.js";
import { writePartialReport, type PartialReport } from "../partial-report.js";
import { nameBeside, writeCells, writeMarkdown, writePage } from "../report-writings.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  markdown: { type: "boolean", describe: "write Markdown for a pull request too" },
  csv: { type: "boolean", describe: "write the cells too, as cells.csv" },
  out: { type: "string", describe: "folder to write into (default the report's own)" },
  partial: {
    type: "boolean",
    describe: "of a run that has not ended: make the report from the cells that are stored so far",
  },
} as const;

/** `gradstand bench report FILE|FOLDER`: a report for a reader. */
export const benchReport: Command = {
  path: ["bench", "report"],
  positionals: "FILE|FOLDER",
  summary: "show a report, and write it as a page",
  describe:
    "Shows a bench report and writes it beside the report as an HTML page in one file, which needs neither network nor script: verdict first, then " +
    "seeds, sweep, mechanism, floors, cost, and what is taken on trust. Exit 1 when a figure of the report does not hold; the page says which. With --partial, FOLDER is that of a " +
    "run that has not ended: its report over the seeds that are complete goes to bench_report.partial.json, without a verdict.",
  options,
  example: "bench report reports/moment-rank2 --markdown --csv",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "bench report", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const places = (args._ as unknown[]).map(String);
    if (places.length !== 1)
      fail(
        "E_USAGE",
        `bench report: expected one report file or folder of a run, got ${places.length === 0 ? "none" : places.join(" ")}`,
      );
    const partial = args.partial ? await partialReport(places[0]!, terminal) : undefined;
    if (partial?.kind === "tuning") {
      if (args.json) printJson("bench report", { partial: true, tuning: partial.tuning }, terminal);
      else printTuning(partial.tuning, terminal);
      return exitCodes.nothingRan;
    }
    const file = partial?.file ?? reportFileOf(places[0]!, "bench report");
    const report = readReport(file, "bench report");
    const view = computedFrom(file, () => reportView(report, path.basename(file)));
    const folder = textOf(args, "out") ?? path.dirname(file);
    prepareFolder(folder, nameBeside(file, ".html"));
    const written = [
      writePage(view, folder),
      ...(args.markdown ? [writeMarkdown(view, folder)] : []),
      ...(args.csv ? [writeCells(view, folder)] : []),
    ];
    const { holds, version, verdicts, informative, faults } = view.verification;
    if (args.json) {
      const { headline, sentences } = plainVerdict(view);
      const plain = { headline, sentences: sentences.map(phraseText) };
      printJson(
        "bench report",
        { file, version, holds, informative, faults, plain, verdicts, written },
        terminal,
      );
    } else {
      printReportSummary(view, file, written, terminal);
    }
    return holds ? exitCodes.done : exitCodes.checkFailed;
  },
};

/** The partial report of a run that has not ended; undefined where the whole one is there. */
async function partialReport(folder: string, terminal: Terminal): Promise<PartialReport | undefined> {
  if (hasReport(readRun(folder, "bench report --partial"), folder)) {
    terminal.err(`the run in ${folder} has ended: this is its whole report`);
    return undefined;
  }
  const made = await writePartialReport(folder, terminal);
  if (made.kind === "report")
    terminal.err(`a report of ${made.seeds} of ${made.planned} planned seeds, whose cells are stored so far`);
  return made;
}

function printTuning(tuning: readonly TuningProgress[], { out, err }: Terminal): void {
  for (const { arm, cfg, stored, planned } of tuning) {
    const values = Object.entries(cfg).map(([name, value]) => `${name} ${value}`);
    out(`${arm}, ${values.join(", ")}: ${stored} of ${planned} cells stored`);
  }
  err("nothing can be compared yet: the arms are not tuned, or no seed is complete in every arm");
}
