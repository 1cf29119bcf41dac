import type { Fault, Verification } from "../../bench/report/index.js";
import type { Terminal } from "../terminal.js";
import { counted, eachLine, groupedLines, sectionLines } from "./check-lines.js";
import { valueText } from "./value-text.js";
import { printVerdicts } from "./verdicts.js";

/**
 * Prints what verification found: the checks (with `all` each on its line, else grouped, in a report of version 2 by
 * section), what is taken on trust, both verdicts, and last the faults.
 */
export function printVerification(
  verification: Verification,
  file: string,
  all: boolean,
  terminal: Terminal,
): void {
  const { out, colour } = terminal;
  const { checks, faults, trusted, version } = verification;
  out(colour.bold(`${file}, schema version ${version}`));
  const linesOf = all ? eachLine : version === 1 ? groupedLines : sectionLines;
  for (const line of linesOf(checks, terminal)) out(line);
  out(`\nTaken on trust (nothing else in the report implies them):`);
  for (const { path, why } of trusted) out(colour.dim(`  ${path}: ${why}`));
  out("");
  printVerdicts(verification.verdicts, verification.informative, terminal);
  const held = checks.filter((check) => check.holds);
  if (faults.length > 0) printFaults(faults, held.length > 0, terminal);
  out(
    verification.holds
      ? colour.green(`\nThe report holds: ${counted(held)} recomputed, none differs.`)
      : colour.red(`\nThe report does not hold: ${faults.map((fault) => fault.path).join(", ")}.`),
  );
}

function printFaults(faults: readonly Fault[], othersHold: boolean, { out, colour }: Terminal): void {
  out(`\n${colour.red.bold(`${faults.length} value${faults.length === 1 ? " does" : "s do"} not hold:`)}`);
  for (const { path, reported, implied, why, alternatives } of faults) {
    const should = implied === undefined ? "" : `, should be ${valueText(implied)}`;
    out(`  ${colour.red(path)} is ${valueText(reported)}${should}`);
    out(`    ${why}`);
    if (alternatives?.length) out(`    the same would follow from: ${alternatives.join(", ")}`);
  }
  if (othersHold) out(colour.dim("  figures above are recomputed with these values put right"));
}
