import path from "node:path";
import type { Plan } from "../../bench/index.js";
import { unfinishedCells } from "../../bench/report/figures/unfinished.js";
import type { ReportV2 } from "../../bench/report/index.js";
import { informativeCommand } from "../informative-command.js";
import { shellLine } from "../shell-line.js";
import { resumeLine } from "../stored-runs.js";
import type { Terminal } from "../terminal.js";
import { verdictSentence } from "./verdict-sentence.js";

/** A run that has ended, and its report's file. */
export interface FinishedRun {
  readonly plan: Plan;
  readonly file: string;
  readonly report: ReportV2;
}

function nextCommand(plan: Plan, file: string, { bench_report: bench }: ReportV2): string {
  if (unfinishedCells(bench).length > 0) return resumeLine(path.dirname(file));
  return bench.informative
    ? shellLine(["npx", "gradstand", "bench", "verify", file])
    : informativeCommand(plan);
}

/** The last lines: each verdict in one sentence, which ends with the next command. */
export function printEnding(runs: readonly FinishedRun[], { out, colour }: Terminal): void {
  if (runs.some(({ report }) => !report.bench_report.informative)) {
    out(
      colour.dim(
        "\nAn informative answer takes more data and epochs, and longer: `gradstand bench plan` says how long.",
      ),
    );
  }
  out("");
  const several = new Set(runs.map(({ plan }) => plan.idea.name)).size < runs.length;
  const named = ({ idea, track }: Plan): string => (several ? `${idea.name} on ${track.name}` : idea.name);
  for (const { plan, file, report } of runs) {
    const next = nextCommand(plan, file, report);
    out(`${colour.bold(named(plan))}: ${verdictSentence(report, next)}`);
  }
}
