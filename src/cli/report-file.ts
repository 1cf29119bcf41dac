import fs from "node:fs";
import path from "node:path";
import { benchOf, benchPrefix, parseReport, type Report } from "../bench/report/index.js";
import { fail, GradstandError } from "../errors/index.js";

/** The file of a report in its folder. */
export const reportName = "bench_report.json";

/** The most a report can weigh, in bytes: a larger file is none. */
const largestReport = 64 * 2 ** 20;

/** The most per-seed values of an arm that are recomputed. */
const mostSeeds = 10_000;

/** Reads a report file for a command. Throws `E_USAGE` where there is none to read, `E_REPORT` where it is not one. */
export function readReport(file: string, command: string): Report {
  const report = parseReport(read(file, command), file);
  const { baseline, idea } = benchOf(report);
  const seeds = Math.max(baseline.full.per_seed.length, idea.per_seed.length);
  if (seeds > mostSeeds) {
    fail(
      "E_REPORT",
      `${file}: ${benchPrefix(report)}baseline.full.per_seed: expected at most ${mostSeeds} seeds, got ${seeds}`,
    );
  }
  return report;
}

/**
 * What is computed from the report of a file: figures beyond what can be computed with are a fault of the report, not of
 * the command line. Throws `E_REPORT`.
 */
export function computedFrom<Result>(file: string, compute: () => Result): Result {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof GradstandError) || error.code !== "E_VALUE") throw error;
    return fail("E_REPORT", `${file}: its per-seed values cannot be computed with: ${error.message}`, {
      cause: error,
    });
  }
}

/** The report file that a file or a run's folder stands for. Throws `E_USAGE` for a folder without a report. */
export function reportFileOf(place: string, command: string): string {
  if (!fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place;
  const file = path.join(place, reportName);
  if (fs.existsSync(file)) return file;
  const below = fs
    .readdirSync(place)
    .map((name) => path.join(place, name))
    .filter((folder) => fs.existsSync(path.join(folder, reportName)));
  const instead =
    below.length > 0 ? `name one of ${below.join(", ")}` : "name the folder of a run, or a report file";
  return fail("E_USAGE", `${command}: there is no ${reportName} in the folder ${place}; ${instead}`);
}

function read(file: string, command: string): string {
  try {
    const found = fs.statSync(file);
    const { size } = found;
    if (!found.isFile()) throw new Error("it is not a file");
    if (size > largestReport)
      throw new Error(`it has ${size} bytes, too many for a report (at most ${largestReport})`);
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    return fail(
      "E_USAGE",
      `${command}: cannot read ${file}: ${(error as Error).message}; expected the path of a bench_report.json`,
      { cause: error },
    );
  }
}
