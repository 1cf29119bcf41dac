import { unfinishedCells } from "../../bench/report/figures/unfinished.js";
import {
  shown,
  signed,
  visibleText,
  type PairedDifference,
  type ReportView,
  type RunComparison,
  type SideBySide,
} from "../../bench/report/index.js";
import { signFlipName } from "../../bench/verdict/index.js";
import type { Terminal } from "../terminal.js";
import { percentOf } from "./verdict-sentence.js";

/** Prints two like runs: figures side by side, pairs of the shared seeds, notes, and last what the pairs say in one sentence. */
export function printComparison(
  comparison: RunComparison,
  [a, b]: readonly [string, string],
  [viewA, viewB]: readonly [ReportView, ReportView],
  terminal: Terminal,
): void {
  const { out, colour } = terminal;
  out(`A: ${a}\nB: ${b}\n`);
  printColumns([["", "A", "B"], ...comparison.figures.map(cells)], terminal);
  const { seeds, paired } = comparison;
  if (paired) {
    const rows = seeds.shared.map((seed, at) => [
      visibleText(seed),
      shown(paired.idea.a[at]!),
      shown(paired.idea.b[at]!),
      signed(paired.idea.differences[at]!),
    ]);
    out("");
    printColumns([["seed", "idea of A", "idea of B", "B − A"], ...rows], terminal);
  }
  out("");
  for (const note of notesOf(comparison, viewA)) out(colour.dim(`note: ${note}`));
  if (comparison.baselinesAgree === false)
    out(
      colour.yellow(
        "The baselines of the shared seeds differ although settings, code and configuration are the same: something outside the settings took part.",
      ),
    );
  out(paired ? sentence(paired.idea, viewA, viewB) : "The runs share no seed: nothing can be paired.");
}

function cells({ name, a, b }: SideBySide): string[] {
  return [name, cellText(a), cellText(b)].map(visibleText);
}

function cellText(value: SideBySide["a"]): string {
  if (value === null) return "none";
  if (typeof value === "number") return shown(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(cellText).join(", ");
  return Object.entries(value)
    .map(([key, item]) => `${key} ${cellText(item)}`)
    .join(", ");
}

function printColumns(rows: readonly (readonly string[])[], { out, colour }: Terminal): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  rows.forEach((row, at) => {
    const line = row.map((cell, column) => cell.padEnd(widths[column]! + 3)).join("");
    out(at === 0 ? colour.bold(line.trimEnd()) : line.trimEnd());
  });
}

function notesOf({ seeds, surroundings, unreported }: RunComparison, { bench }: ReportView): string[] {
  const only = [
    ...(seeds.onlyA.length > 0 ? [`seeds of A alone: ${seeds.onlyA.join(", ")}`] : []),
    ...(seeds.onlyB.length > 0 ? [`seeds of B alone: ${seeds.onlyB.join(", ")}`] : []),
  ];
  const names = surroundings.map(({ setting }) => setting.replace("provenance.", ""));
  return [
    ...only,
    ...(unreported.length > 0 ? [`neither report says, taken to be the same: ${unreported.join(", ")}`] : []),
    ...(names.length > 0 ? [`other ${names.join(", ")}: wall times do not compare`] : []),
    ...(bench.bench_version === 2 && bench.protocol.preset === "quick"
      ? ["runs of the preset quick are too small to compare anything by"]
      : []),
  ].map(visibleText);
}

function sentence(idea: PairedDifference, viewA: ReportView, viewB: ReportView): string {
  const { statistics, differences, wins, mean, identical } = idea;
  const count = `${differences.length} shared ${differences.length === 1 ? "seed" : "seeds"}`;
  if (identical) return `The ideas of A and B have the same values on all ${count}.`;
  const unfinished = [viewA, viewB].some(
    ({ bench }) => bench.bench_version === 2 && unfinishedCells(bench).length > 0,
  );
  if (![...idea.a, ...idea.b].every(Number.isFinite))
    return `On ${count} the ideas cannot be compared: some diverged${unfinished ? " or did not end" : ""}, and none is left out.`;
  const better = (viewA.bench.metric_direction === "lower is better") === mean < 0;
  const interval = statistics.sign_flip_interval;
  const range = interval
    ? `interval ${signed(interval[0])} to ${signed(interval[1])}`
    : "too few for an interval";
  return visibleText(
    `On ${count} the idea of B (${viewB.title}) is ${mean === 0 ? "no different" : better ? "better" : "worse"}: ${signed(mean)} ` +
      `(${percentOf(mean, idea.a.reduce((sum, value) => sum + value, 0) / idea.a.length)} of A), ${range}, ${wins}/${differences.length} seeds won, ` +
      `${signFlipName(statistics.sign_flip.method)} p = ${shown(statistics.sign_flip.p_value)} for this comparison alone.`,
  );
}
