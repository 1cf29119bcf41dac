import fs from "node:fs";
import {
  benchOf,
  benchPrefix,
  parseReport,
  verifyReport,
  type Verification,
} from "../../bench/report/index.js";
import { fail, GradstandError } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import { printVerification } from "../render/verification.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  all: { type: "boolean", describe: "show every figure on a line of its own" },
} as const;

/** `gradstand bench verify FILE`: does a report hold? */
export const benchVerify: Command = {
  path: ["bench", "verify"],
  positionals: "FILE",
  summary: "recompute every figure of a report from its per-seed values",
  describe:
    "Recomputes every derivable figure of a bench report from its per-seed values, names each one that does not hold, lists what " +
    "has to be taken on trust, and derives both verdicts anew. Exit 1 when a figure does not hold.",
  options,
  example: "bench verify reports/moment-rank2/bench_report.json",
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "bench verify", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const files = (args._ as unknown[]).map(String);
    if (files.length !== 1)
      fail(
        "E_USAGE",
        `bench verify: expected one report file, got ${files.length === 0 ? "none" : files.join(" ")}`,
      );
    const verification = verify(files[0]!);
    if (args.json) {
      const { holds, checks, faults, trusted, verdicts, informative, version } = verification;
      const found = { file: files[0], version, holds, informative, faults, checks, trusted, verdicts };
      printJson("bench verify", found, terminal);
    } else {
      printVerification(verification, files[0]!, args.all === true, terminal);
    }
    return verification.holds ? exitCodes.done : exitCodes.checkFailed;
  },
};

/** The most a report can weigh, in bytes: a larger file is none. */
const largestReport = 64 * 2 ** 20;

/** The most per-seed values of an arm that are recomputed. */
const mostSeeds = 10_000;

/** Figures beyond what can be computed with are a fault of the report, not of the command line. */
function verify(file: string): Verification {
  const report = parseReport(read(file), file);
  const { baseline, idea } = benchOf(report);
  const seeds = Math.max(baseline.full.per_seed.length, idea.per_seed.length);
  if (seeds > mostSeeds) {
    fail(
      "E_REPORT",
      `${file}: ${benchPrefix(report)}baseline.full.per_seed: expected at most ${mostSeeds} seeds, got ${seeds}`,
    );
  }
  try {
    return verifyReport(report);
  } catch (error) {
    if (!(error instanceof GradstandError) || error.code !== "E_VALUE") throw error;
    return fail("E_REPORT", `${file}: its per-seed values cannot be computed with: ${error.message}`, {
      cause: error,
    });
  }
}

function read(file: string): string {
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
      `bench verify: cannot read ${file}: ${(error as Error).message}; expected the path of a bench_report.json`,
      { cause: error },
    );
  }
}
