import fs from "node:fs";
import { parseReport, verifyReport } from "../../bench/report/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printVerification } from "../render/verification.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** `gradstand bench verify FILE`: does a report hold? */
export const benchVerify: Command = {
  path: ["bench", "verify"],
  positionals: "FILE",
  summary: "recompute every figure of a report from its per-seed values",
  describe:
    "Recomputes every derivable figure of a bench report from its per-seed values, names each one that does not hold, lists what " +
    "has to be taken on trust, and derives both verdicts anew. Exit 1 when a figure does not hold.",
  options: {},
  example: "bench verify reports/moment-rank2/bench_report.json",
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "bench verify", Object.keys(commonOptions), []);
    const files = (args._ as unknown[]).map(String);
    if (files.length !== 1)
      fail(
        "E_USAGE",
        `bench verify: expected one report file, got ${files.length === 0 ? "none" : files.join(" ")}`,
      );
    const verification = verifyReport(parseReport(read(files[0]!), files[0]!));
    if (args.json) {
      const { holds, checks, faults, trusted, verdicts, informative, version } = verification;
      const document = {
        schemaVersion: 1,
        command: "bench verify",
        file: files[0],
        version,
        holds,
        informative,
        faults,
        checks,
        trusted,
        verdicts,
      };
      terminal.out(JSON.stringify(document, null, 2));
    } else {
      printVerification(verification, files[0]!, terminal);
    }
    return verification.holds ? exitCodes.done : exitCodes.checkFailed;
  },
};

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    return fail(
      "E_USAGE",
      `bench verify: cannot read ${file}: ${(error as Error).message}; expected the path of a bench_report.json`,
      { cause: error },
    );
  }
}
