import { shown, type Check, type Verification } from "../../bench/report/index.js";
import type { Json } from "../../ideas/index.js";
import type { Terminal } from "../terminal.js";
import { printVerdicts } from "./verdicts.js";

const text = (value: Json | undefined): string =>
  value === undefined ? "missing" : typeof value === "string" ? `"${value}"` : JSON.stringify(value);

/** Prints what verification found: every figure, then the faults, what is taken on trust, and both verdicts. */
export function printVerification(verification: Verification, file: string, terminal: Terminal): void {
  const { out, colour } = terminal;
  const { checks, faults, trusted } = verification;
  out(colour.bold(`${file}, schema version ${verification.version}`));
  const quiet = checks.filter((check) => check.holds && isQuotedOrDigest(check));
  for (const check of checks) if (!quiet.includes(check)) out(line(check, terminal));
  if (quiet.length > 0)
    out(`  ${colour.green("✓")} ${quiet.length} numbers quoted in texts and section digests agree`);
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

/** Figures quoted in sentences, and digests of sections: shown one by one only when they do not hold. */
function isQuotedOrDigest({ path, recomputed }: Check): boolean {
  return (
    /(^|\.)(digests\b|metrics\.|limitations$)/.test(path) ||
    (path === "verdict" && typeof recomputed === "string")
  );
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
