import type { BenchReport } from "./document-v2.js";
import { seedNames } from "./present/seed-names.js";
import { canonicalText } from "./serialize.js";

const columns = [
  "arm",
  "cfg",
  "seed",
  "status",
  "metric",
  "parameters",
  "steps",
  "seconds",
  "final_loss",
  "further",
  "evaluated",
  "reason",
  "key",
];

/**
 * The cells of a report as CSV (RFC 4180, lines end in CR LF), numbers with every digit. A version 1 report has no cells:
 * each seed's value of either arm takes their place, with what is not known left empty. A text that a spreadsheet would take
 * for a formula has an apostrophe before it.
 */
export function cellsCsv(bench: BenchReport): string {
  const rows = bench.bench_version === 1 ? seedCells(bench) : ownCells(bench);
  return [columns, ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

type Field = string | number | undefined;

function ownCells(bench: Extract<BenchReport, { bench_version: 2 }>): Field[][] {
  return bench.cells.map(
    ({
      arm,
      cfg,
      seed,
      evaluated,
      status,
      metric,
      parameters,
      steps,
      seconds,
      curve,
      further,
      reason,
      key,
    }) => [
      arm,
      canonicalText(cfg),
      seed,
      status,
      metric,
      parameters,
      steps,
      seconds,
      curve.at(-1),
      further && canonicalText(further),
      evaluated ?? "test",
      reason,
      key,
    ],
  );
}

function seedCells(bench: BenchReport): Field[][] {
  const seeds = seedNames(bench);
  return (["baseline", "idea"] as const).flatMap((arm) => {
    const { per_seed } = arm === "baseline" ? bench.baseline.full : bench.idea;
    const cfg = bench[arm].best_cfg;
    return per_seed.map((metric, at): Field[] => [
      arm,
      cfg && canonicalText(cfg),
      seeds[at],
      Number.isFinite(metric) ? "ok" : "diverged",
      metric,
      ...Array.from({ length: 7 }, () => undefined),
    ]);
  });
}

function field(value: Field): string {
  if (value === undefined) return "";
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  const safe = /^[=+\-@\t\r]/.test(value) && !/^-?\d+$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
