import { verifyReport } from "../../bench/report/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import { printVerification } from "../render/verification.js";
import { computedFrom, readReport } from "../report-file.js";
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
    const report = readReport(files[0]!, "bench verify");
    const verification = computedFrom(files[0]!, () => verifyReport(report));
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
