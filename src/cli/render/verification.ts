import { shown, type Check, type Verification } from "../../bench/report/index.js";
import type { Json } from "../../ideas/index.js";
import type { Terminal } from "../terminal.js";
import { printVerdicts } from "./verdicts.js";

const text = (value: Json | undefined): string =>
  value === undefined ? "missing" : typeof value === "string" ? `"${value}"` : JSON.stringify(value);

/**
 * Prints what verification found: with `all` every figure, else the number of them in each section and each one that does not
 * hold; then the faults, what is taken on trust, and both verdicts.
 */
export function printVerification(
  verification: Verification,
  file: string,
  all: boolean,
  terminal: Terminal,
): void {
  const { out, colour } = terminal;
  const { checks, faults, trusted } = verification;
  out(colour.bold(`${file}, schema version ${verification.version}`));
  if (all) for (const check of checks) out(line(check, terminal));
  else printSections(checks, terminal);
  if (faults.length > 0) {
    out(`\n${colour.red.bold(`${faults.length} value${faults.length === 1 ? " does" : "s do"} not hold:`)}`);
    for (const fault of faults) {
      out(
        `  ${colour.red(fault.path)} is ${text(fault.reported)}${fault.implied === undefined ? "" : `, should be ${text(fault.implied)}`}`,
      );
      out(`    ${fault.why}`);
      if (fault.alternatives?.length) out(`    the same would follow from: ${fault.alternatives.join(", ")}`);
    }
    if (checks.some((check) => check.holds))
      out(colour.dim("  figures above are recomputed with these values put right"));
  }
  out(`\nTaken on trust (nothing else in the report implies them):`);
  for (const { path, why } of trusted) out(colour.dim(`  ${path}: ${why}`));
  out("");
  printVerdicts(verification.verdicts, verification.informative, terminal);
  const held = checks.filter((check) => check.holds).length;
  const outcome = verification.holds
    ? colour.green(`\nThe report holds: ${held} figures recomputed, none differs.`)
    : colour.red(`\nThe report does not hold: ${faults.map((fault) => fault.path).join(", ")}.`);
  out(outcome);
}

/** The section that a figure belongs to, such as `bench_report.comparison`; digests stand together. */
function sectionOf({ path, note }: Check): string {
  if (note?.startsWith("SHA-256")) return "digests of the sections";
  return /^(bench_report\.)?[^.[]+/.exec(path)?.[0] ?? path;
}

/** Sections with the number of their figures that hold; a figure that does not is shown where it stands. */
function printSections(checks: readonly Check[], terminal: Terminal): void {
  const sections = new Map<string, Check[]>();
  for (const check of checks)
    sections.set(sectionOf(check), [...(sections.get(sectionOf(check)) ?? []), check]);
  for (const [section, figures] of sections) {
    const held = figures.filter((check) => check.holds).length;
    if (held > 0)
      terminal.out(
        `  ${terminal.colour.green("✓")} ${section}: ${held} ${held === 1 ? "figure" : "figures"}`,
      );
    for (const check of figures) if (!check.holds) terminal.out(line(check, terminal));
  }
}

function line(check: Check, { colour }: Terminal): string {
  const mark = check.holds ? colour.green("✓") : colour.red("✗");
  const value = typeof check.recomputed === "number" ? shown(check.recomputed) : text(check.recomputed);
  const error =
    check.relativeError === undefined || check.relativeError === 0
      ? ""
      : colour.dim(` (off by ${check.relativeError.toExponential(1)})`);
  const reported = check.holds ? "" : ` reported ${text(check.reported)}`;
  const note = check.note ? colour.dim(` — ${check.note}`) : "";
  return `  ${mark} ${check.path} = ${value}${reported}${error}${note}`;
}
