import type { BenchReportV2, ReportV2 } from "../../bench/report/index.js";
import { divergence } from "./divergence.js";

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
 * A run in one sentence: what it can say at all, the effect with its interval and the seeds won, or which arm diverged;
 * cost, checks, the rule of both profiles, and the next command.
 */
export function verdictSentence(report: ReportV2, next: string): string {
  const bench = report.bench_report;
  const { cost, floors, informative, math_checks, mechanism_signature, verdicts } = bench;
  const { strict, seed_v1: seed } = verdicts;
  const unbeaten = floors.filter(({ beaten }) => !beaten).map(({ name }) => name);
  const held = math_checks.filter(({ passed }) => passed).length;
  return [
    `${informative ? "" : `uninformative (the baseline does not beat ${unbeaten.join(", ")}), `}${strict.verdict.replace("_", " ")}`,
    divergence(bench) ?? effectOf(bench),
    ...familyOf(bench),
    `parameters ${ratio(cost.parameters)}, wall time ${ratio(cost.seconds)}`,
    `${held}/${math_checks.length} identities and the mechanism ${mechanism_signature.confirmed ? "confirmed" : "not confirmed"}`,
    `by the rule 'strict' (${strict.rule}${strict.caps.length > 0 ? `: ${strict.caps.map(({ code }) => code).join(", ")}` : ""})`,
    `by the rule 'seed-v1' system ${seed.system_verdict}, practical ${seed.practical_verdict.replace("_", " ")}`,
    `next: ${next}`,
  ].join("; ");
}

/** Of several comparisons made together: the p that decides. */
function familyOf({ family: { members, own } }: BenchReportV2): string[] {
  const { holm } = members[own]!;
  if (members.length === 1 || holm === null || Number.isNaN(holm)) return [];
  return [`p = ${rounded(holm)} by Holm in its family of ${members.length}`];
}

function effectOf({ baseline, comparison, metric_direction, sequential, statistics }: BenchReportV2): string {
  const { mean } = baseline.full;
  const { delta_mean: delta, idea_wins, n_pairs } = comparison;
  const bounds = sequential ? sequential.interval : statistics.sign_flip_interval;
  const interval = bounds
    ? `interval ${percentOf(bounds[0], mean)} to ${percentOf(bounds[1], mean)}`
    : "too few pairs for an interval";
  const gained = (metric_direction === "lower is better") === delta < 0;
  const judged = delta === 0 ? "no difference" : gained ? "better" : "worse";
  return `${judged}, ${percentOf(delta, mean)} of the baseline, ${interval}; ${idea_wins}/${n_pairs} seeds won`;
}
