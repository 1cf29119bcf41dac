import { readFileSync } from "node:fs";

interface Printed {
  readonly baseline: {
    readonly full: { readonly mean: number; readonly std: number; readonly per_seed: readonly number[] };
  };
  readonly idea: { readonly mean: number; readonly std: number; readonly per_seed: readonly number[] };
  readonly comparison: {
    readonly delta_mean: number;
    readonly per_seed_diffs: readonly number[];
    readonly p_value: number;
    readonly mde: number;
    readonly mde_rel_pct: number;
  };
}

/** A report's per-seed values, and what it printed about them. */
export interface ReportData {
  readonly baseline: readonly number[];
  readonly idea: readonly number[];
  readonly diffs: readonly number[];
  readonly printed: Printed;
}

function read(file: string): Printed {
  const path = new URL(`./fixtures/${file}`, import.meta.url);
  return (JSON.parse(readFileSync(path, "utf8")) as { bench_report: Printed }).bench_report;
}

function dataOf(printed: Printed, baseline: readonly number[]): ReportData {
  const idea = printed.idea.per_seed;
  return { baseline, idea, diffs: idea.map((value, seed) => value - baseline[seed]), printed };
}

const moment = read("moment_preserving.json");
const pivoted = read("residual_pivoted.json");

export const momentReport = dataOf(moment, moment.baseline.full.per_seed);

/** With the baseline's seed 6 as the printed difference implies it; the printed value is corrupt. */
export const pivotedReport = dataOf(pivoted, pivoted.baseline.full.per_seed.with(6, 1.1204972267150879));

/** Darwin's maize: height of crossed minus self-fertilised plants in eighths of an inch (Fisher 1935, table 3). */
export const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

/** Extra hours of sleep under the first drug minus those under the second (Student 1908; R's `sleep`). */
export const sleep = [
  0.7 - 1.9,
  -1.6 - 0.8,
  -0.2 - 1.1,
  -1.2 - 0.1,
  -0.1 - -0.1,
  3.4 - 4.4,
  3.7 - 5.5,
  0.8 - 1.6,
  0.0 - 4.6,
  2.0 - 3.4,
];
