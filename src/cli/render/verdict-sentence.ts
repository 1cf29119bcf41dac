import type { ReportV2 } from "../../bench/report/index.js";

/** A percentage or ratio for reading: three significant digits, with its sign. */
function rounded(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : String(value);
}

const withSign = (value: number): string => (value > 0 ? `+${rounded(value)}` : rounded(value));

/** `×1.69`, or `×?` where the ratio does not exist. */
export const ratio = (value: number | null): string => `×${value === null ? "?" : rounded(value)}`;

/** A part of the baseline's mean in percent: `+45.5 %`. */
export const percentOf = (value: number, baseline: number): string =>
  `${withSign((100 * value) / baseline)} %`;

/**
 * A run in one sentence: what it can say at all, the effect with its interval, seeds won, cost, checks, the rule of the
 * strict profile, and the next command.
 */
export function verdictSentence(report: ReportV2, next: string): string {
  const {
    baseline,
    comparison,
    cost,
    informative,
    math_checks,
    mechanism_signature,
    metric_direction,
    statistics,
    verdicts,
    floors,
  } = report.bench_report;
  const { strict } = verdicts;
  const { mean } = baseline.full;
  const [low, high] = statistics.sign_flip_interval ?? [NaN, NaN];
  const interval = statistics.sign_flip_interval
    ? `, interval ${percentOf(low, mean)} to ${percentOf(high, mean)}`
    : ", too few pairs for an interval";
  const gained = (metric_direction === "lower is better") === comparison.delta_mean < 0;
  const judged = comparison.delta_mean === 0 ? "no difference" : gained ? "better" : "worse";
  const unbeaten = floors.filter(({ beaten }) => !beaten).map(({ name }) => name);
  const held = math_checks.filter(({ passed }) => passed).length;
  return [
    `${informative ? "" : `uninformative (the baseline does not beat ${unbeaten.join(", ")}), `}${strict.verdict.replace("_", " ")}`,
    `${judged}, ${percentOf(comparison.delta_mean, mean)} of the baseline${interval}`,
    `${comparison.idea_wins}/${comparison.n_pairs} seeds won`,
    `wall time ${ratio(cost.seconds)}`,
    `${held}/${math_checks.length} identities and the mechanism ${mechanism_signature.confirmed ? "confirmed" : "not confirmed"}`,
    `by the rule 'strict' (${strict.rule}${strict.caps.length > 0 ? `: ${strict.caps.map(({ code }) => code).join(", ")}` : ""})`,
    `next: ${next}`,
  ].join("; ");
}
