import {
  phraseText,
  plainVerdict,
  visibleText,
  visibleTexts,
  type ReportV2,
  type ReportView,
} from "../../bench/report/index.js";
import { shellLine } from "../shell-line.js";
import type { Terminal } from "../terminal.js";
import { printRun } from "./run-summary.js";
import { verdictSentence } from "./verdict-sentence.js";
import { printVerdicts } from "./verdicts.js";

/**
 * Prints a report for a reader: the figures of its run, or of a version 1 report its verdict in plain words; both profiles,
 * the files that were written, and last the verdict in one sentence. Nothing in the report's texts reaches the terminal as
 * anything but visible text.
 */
export function printReportSummary(
  view: ReportView,
  file: string,
  written: readonly string[],
  terminal: Terminal,
): void {
  const { out, colour } = terminal;
  const next = shellLine(["npx", "gradstand", "bench", "verify", file]);
  const { headline, sentences } = plainVerdict(view);
  if (view.bench.bench_version === 2 && view.statement) {
    printRun(visibleTexts(view.report) as ReportV2, file, terminal);
  } else {
    const { bench, verification } = view;
    out(`\n${colour.bold.underline(visibleText(view.title))}`);
    out(
      visibleText(
        `  ${bench.track} with ${bench.model}, ${bench.n_seeds} paired seeds, ${bench.metric_direction}, report of version ${bench.bench_version}`,
      ),
    );
    for (const sentence of sentences) out(`  ${visibleText(phraseText(sentence))}`);
    out("");
    printVerdicts(visibleTexts(verification.verdicts), verification.informative, terminal);
  }
  for (const place of written) out(colour.dim(`  wrote: ${place}`));
  const faults = [...view.faults.keys()].map(visibleText);
  if (faults.length > 0) out(colour.red(`\nThe report does not hold: ${faults.join(", ")}.`));
  const sentence =
    view.bench.bench_version === 2 && view.statement
      ? verdictSentence(visibleTexts(view.report) as ReportV2, next)
      : `${headline}; next: ${next}`;
  out(`\n${colour.bold(visibleText(view.title))}: ${sentence}`);
}
