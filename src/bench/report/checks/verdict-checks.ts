import { benchOf, benchPrefix, statementOf, type Report } from "../document-v2.js";
import type { Judgement } from "../judge.js";
import { figureCheck, type Clue, type Suspect } from "./check.js";

/** The verdict fields of the reports, by the rules of the profile `seed-v1`. */
export function verdictChecks(report: Report, { verdicts: { seed }, confidence }: Judgement): Clue[] {
  const bench = benchOf(report);
  const prefix = benchPrefix(report);
  const suspects = confirmations(report);
  const comparison = `${prefix}comparison`;
  const checks = [
    figureCheck(report, `${comparison}.verdict`, seed.comparison_verdict),
    figureCheck(report, `${comparison}.system_worked`, seed.worked),
  ];
  if (!statementOf(report)) return checks;
  const rule = { note: `seed-v1: ${seed.rule}`, suspects };
  checks.push(
    figureCheck(report, "worked", seed.worked),
    figureCheck(report, "system_verdict", seed.system_verdict, rule),
    figureCheck(report, "practical_verdict", seed.practical_verdict, rule),
    figureCheck(report, "mechanism_ok", seed.mechanism_ok, rule),
    figureCheck(report, "system_judged", true, { note: "the report is whole and recomputes" }),
  );
  if (bench.bench_version === 2) {
    checks.push(figureCheck(report, "confidence", confidence.value, { note: "10 less the listed reasons" }));
  }
  return checks;
}

/** The two inputs of the verdict that are not numbers, each the other way round. */
function confirmations(report: Report): Suspect[] {
  const { mechanism_signature: signature, math_verification: mathematics } = benchOf(report);
  const prefix = benchPrefix(report);
  return [
    { path: `${prefix}mechanism_signature.confirmed`, implied: !signature.confirmed },
    ...(mathematics ? [{ path: `${prefix}math_verification.passed`, implied: !mathematics.passed }] : []),
  ];
}
