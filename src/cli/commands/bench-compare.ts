import path from "node:path";
import {
  compareRuns,
  reportView,
  visibleText,
  type ReportView,
  type SettingPair,
} from "../../bench/report/index.js";
import { fail, GradstandError } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import { printComparison } from "../render/comparison.js";
import { valueText } from "../render/value-text.js";
import { computedFrom, readReport, reportFileOf } from "../report-file.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** `gradstand bench compare A B`: two like runs side by side. */
export const benchCompare: Command = {
  path: ["bench", "compare"],
  positionals: "A B",
  summary: "two like runs side by side, paired where they share seeds",
  describe:
    "Compares two reports, or the folders of two runs: their figures side by side, and the paired differences B − A on the seeds that they share. " +
    "Runs whose settings, track, sizes or code differ are refused, with every difference listed; so is a report that does not hold.",
  options: {},
  example: "bench compare reports/moment-rank2 reports/moment-rank3",
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "bench compare", Object.keys(commonOptions), []);
    const places = (args._ as unknown[]).map(String);
    if (places.length !== 2)
      fail(
        "E_USAGE",
        `bench compare: expected two report files or folders of runs, got ${places.length === 0 ? "none" : places.join(" ")}`,
      );
    const [a, b] = places.map((place) => reportFileOf(place, "bench compare")) as [string, string];
    const [viewA, viewB] = [sound(a), sound(b)];
    const comparison = computedFrom(`${a} and ${b}`, () => compareRuns(viewA, viewB));
    const alike = comparison.differences.length === 0;
    if (args.json) {
      const { differences, unreported, surroundings, ...rest } = comparison;
      const found = alike ? rest : {};
      printJson("bench compare", { a, b, alike, differences, unreported, surroundings, ...found }, terminal);
      return alike ? exitCodes.done : exitCodes.usage;
    }
    if (!alike) throw unlike(a, b, comparison.differences);
    printComparison(comparison, [a, b], [viewA, viewB], terminal);
    return exitCodes.done;
  },
};

/** A report whose figures hold. Throws `E_REPORT` for one that does not. */
function sound(file: string): ReportView {
  const report = readReport(file, "bench compare");
  const view = computedFrom(file, () => reportView(report, path.basename(file)));
  if (view.verification.holds) return view;
  const faults = [...view.faults.keys()].map(visibleText).join(", ");
  return fail("E_REPORT", `${file} does not hold: ${faults}; \`gradstand bench verify\` says more`);
}

function unlike(a: string, b: string, differences: readonly SettingPair[]): GradstandError {
  const lines = differences.map(
    ({ setting, a: inA, b: inB }) => `  ${setting}: ${settingText(inA)} in A, ${settingText(inB)} in B`,
  );
  return new GradstandError(
    "E_UNLIKE",
    `A (${a}) and B (${b}) are not alike, so their figures do not compare:\n${lines.map(visibleText).join("\n")}`,
  );
}

const settingText = (value: SettingPair["a"]): string =>
  value === undefined ? "not reported" : valueText(value);
