import type { SeedVerdict, StrictVerdict } from "../../bench/verdict/index.js";
import type { Terminal } from "../terminal.js";

/** Prints both verdict profiles side by side, then their rules and reasons; an uninformative run is said first. */
export function printVerdicts(
  verdicts: { readonly seed: SeedVerdict; readonly strict: StrictVerdict },
  informative: boolean | undefined,
  { out, colour }: Terminal,
): void {
  const { seed, strict } = verdicts;
  if (informative === false) {
    out(
      colour.yellow.bold(
        "UNINFORMATIVE: the tuned baseline does not beat every floor, so this run cannot tell whether the idea works.",
      ),
    );
  }
  const left = [
    "seed-v1 (the reports' profile)",
    `practical: ${seed.practical_verdict}`,
    `system: ${seed.system_verdict}`,
    `comparison: ${seed.comparison_verdict}`,
    `mechanism_ok: ${seed.mechanism_ok}`,
  ];
  const right = [
    "strict",
    `verdict: ${strict.verdict}`,
    `system: ${strict.system_verdict}`,
    `mechanism stands: ${strict.mechanism_stands ? "yes" : "no"}`,
    strict.needed_seeds === undefined
      ? ""
      : strict.caps.length > 0
        ? `with the caps lifted: ${strict.needed_seeds} seeds`
        : `seeds that would settle it: ${strict.needed_seeds}`,
  ];
  const width = Math.max(...left.map((row) => row.length)) + 4;
  left.forEach((row, i) => {
    const cell = row.padEnd(width);
    out(`  ${i === 0 ? colour.bold(cell) : cell}${i === 0 ? colour.bold(right[i]) : right[i]}`.trimEnd());
  });
  for (const { profile, rule, reasons } of [seed, strict]) {
    out(`  ${profile}: ${rule}`);
    for (const reason of reasons) out(colour.dim(`    ${reason}`));
  }
}
