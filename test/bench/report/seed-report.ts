import { readFileSync } from "node:fs";
import { parseReport, type Report } from "../../../src/bench/report/index.js";
import { withValueAt } from "../../../src/bench/report/path.js";

export type SeedName = "moment_preserving" | "residual_pivoted";

/** Where the second report has a value that no longer is what was measured. */
export const corruptPath = "bench_report.baseline.full.per_seed[6]";
export const corruptValue = 1.1204972262955322;
export const trueValue = 1.1204972267150879;

/** The text of one of the two reports. */
export function seedText(name: SeedName): string {
  return readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8");
}

/** One of the two reports as it was printed. */
export function seedReport(name: SeedName): Report {
  return parseReport(seedText(name), `${name}.json`);
}

/** One of the two reports with the corrupt value put right. */
export function soundReport(name: SeedName): Report {
  const report = seedReport(name);
  return name === "residual_pivoted" ? withValueAt(report, corruptPath, trueValue) : report;
}
