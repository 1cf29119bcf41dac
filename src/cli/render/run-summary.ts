import { configName, shown, signed, type BenchReportV2, type ReportV2 } from "../../bench/report/index.js";
import type { Terminal } from "../terminal.js";
import { printControls } from "./control-lines.js";
import { divergence } from "./divergence.js";
import { percentOf, ratio } from "./verdict-sentence.js";
import { printVerdicts } from "./verdicts.js";

/** Prints a finished run: effect, sweep, floors, mechanism, and both verdict profiles side by side. */
export function printRun(report: ReportV2, file: string, terminal: Terminal): void {
  const { out, colour } = terminal;
  const bench = report.bench_report;
  const { preset, n_train, n_validation = 0, n_test, epochs } = bench.protocol;
  out(`\n${colour.bold.underline(bench.subject.title)} ${colour.dim(`(${bench.subject.name})`)}`);
  out(
    `  ${bench.track} with ${bench.model}, preset ${preset}: ${n_train} train, ${n_validation > 0 ? `${n_validation} validation, ` : ""}${n_test} test, ${epochs} ${epochs === 1 ? "epoch" : "epochs"}, ${bench.n_seeds} paired seeds, ${bench.metric_direction}`,
  );
  for (const [name, arm] of [
    ["baseline", bench.baseline],
    ["idea", bench.idea],
  ] as const) {
    const rows = arm.sweep.map(({ cfg, mean }) => {
      const best = JSON.stringify(cfg) === JSON.stringify(arm.best_cfg);
      return `${configName(cfg)} → ${best ? colour.bold(shown(mean)) : shown(mean)}`;
    });
    out(`  ${name.padEnd(9)} ${rows.join("   ")}`);
  }
  out(`  tuning    ${tuningOf(bench)}`);
  if (bench.sequential) out(`  evidence  ${evidenceOf(bench.sequential)}`);
  out(`  effect    ${divergence(bench) ?? effectOf(bench)}`);
  printFamily(bench, terminal);
  out(
    `  floors    ${bench.floors.map(({ name, mean, beaten }) => `${name} ${shown(mean)} ${beaten ? colour.green("beaten") : colour.yellow("NOT beaten")}`).join("   ")}`,
  );
  for (const { name, baseline, idea, comparison } of bench.further_metrics ?? []) {
    out(
      `  beside    ${name}: baseline ${shown(baseline.mean)}, idea ${shown(idea.mean)} (${signed(comparison.delta_mean)}, ${comparison.idea_wins}/${idea.n} seeds won, p = ${shown(comparison.p_value)})`,
    );
  }
  printMechanism(bench, terminal);
  printControls(bench, terminal);
  const { parameters, seconds, flops, memory } = bench.cost;
  const measured = [
    ...(flops === undefined ? [] : [`floating-point operations ${ratio(flops)}`]),
    ...(memory === undefined ? [] : [`memory of the arena ${ratio(memory)}`]),
  ];
  out(
    `  cost      ${[`parameters ${ratio(parameters)}`, ...measured, `wall time ${ratio(seconds)}`].join(", ")} of the baseline`,
  );
  out("");
  if (preset === "quick") out(colour.yellow.bold("QUICK: a smoke run, which is no ground for a verdict."));
  printVerdicts({ seed: bench.verdicts.seed_v1, strict: bench.verdicts.strict }, bench.informative, terminal);
  out(colour.dim(`  report: ${file}`));
}

/** What the configurations were chosen on, what each arm spent on it, and how the grid was extended. */
function tuningOf({ tuning: { selection, baseline, idea, extensions = [] } }: BenchReportV2): string {
  const budget = ({ configurations, seeds }: typeof baseline): string =>
    `${configurations} configurations × ${seeds.length} seeds`;
  const added = extensions.map(({ rates }) => `, extended by lr ${rates.join(" and ")}`).join("");
  return `on the ${selection} part: baseline ${budget(baseline)}, idea ${budget(idea)}${added}`;
}

/** The evidence at each look of a sequential run, and why it ended. */
function evidenceOf({
  looks,
  threshold,
  stopped,
  interval,
}: NonNullable<BenchReportV2["sequential"]>): string {
  const path = looks.map(({ pairs, evidence }) => `${shown(evidence)} after ${pairs} seeds`).join(", ");
  return `E ${path || "not defined"}; it had to reach ${shown(threshold)}; ended by: ${stopped}; ${interval ? `the difference lies from ${signed(interval[0])} to ${signed(interval[1])}` : "too few seeds for an interval"}, with the looks accounted for: below they are not`;
}

function effectOf({ baseline, comparison, statistics }: BenchReportV2): string {
  const { delta_mean: delta, idea_wins, n_pairs, p_value } = comparison;
  const interval = statistics.sign_flip_interval;
  const range = interval ? `, interval ${signed(interval[0])} to ${signed(interval[1])}` : "";
  return (
    `${signed(delta)} (${percentOf(delta, baseline.full.mean)})${range}, ${idea_wins}/${n_pairs} seeds won, ` +
    `p = ${p_value} (${statistics.sign_flip.method} ${shown(statistics.sign_flip.p_value)}); ` +
    `smallest difference found with 80 % power: ${shown(statistics.mde_80.difference)}`
  );
}

/** The comparisons made together, when there are several: p alone, by Holm and by Benjamini–Hochberg. */
function printFamily({ family: { members, own } }: BenchReportV2, { out, colour }: Terminal): void {
  if (members.length === 1) return;
  out(`  family    ${members.length} comparisons; Holm's adjusted p decides`);
  members.forEach(({ idea, track, p_value: p, holm, benjamini_hochberg: bh }, at) => {
    const figures =
      p === null || holm === null || bh === null
        ? "not finished, counted as p = 1"
        : `p ${shown(p)} → Holm ${shown(holm)}, Benjamini–Hochberg ${shown(bh)}`;
    const line = `            ${at === own ? "▸" : " "} ${idea} on ${track}: ${figures}`;
    out(at === own ? line : colour.dim(line));
  });
}

/** Each claim with the observation furthest from its prediction over all trained models, and its control's nearest. */
function printMechanism(
  { mechanism, mechanism_signature, math_checks }: BenchReportV2,
  { out, colour }: Terminal,
): void {
  const passed = math_checks.filter((check) => check.passed).length;
  const state = mechanism_signature.confirmed ? colour.green("confirmed") : colour.red("not confirmed");
  out(
    `  mechanism ${state} on ${mechanism.length} trained models; ${passed} of ${math_checks.length} identities hold on random inputs`,
  );
  for (const quantity of new Set(mechanism.flatMap(({ claims }) => claims.map((claim) => claim.quantity)))) {
    const claims = mechanism.flatMap((model) => model.claims.filter((claim) => claim.quantity === quantity));
    const distance = (observed: number, predicted: number | string): number =>
      typeof predicted === "number" ? Math.abs(observed - predicted) : observed;
    const far = (a: (typeof claims)[number]): number => distance(a.observed, a.predicted);
    const farthest = claims.reduce((a, b) => (far(b) > far(a) ? b : a));
    const nearest = claims.map(({ control }) => control.observed).reduce((a, b) => Math.min(a, b));
    const mark = claims.every((claim) => claim.held && claim.control.refuted)
      ? colour.green("✓")
      : colour.red("✗");
    out(
      colour.dim("            ") +
        `${mark} ${quantity}: predicted ${word(farthest.predicted)}, observed ${shown(farthest.observed)} (tolerance ${shown(farthest.tolerance)}); ` +
        `${farthest.control.what}: ${shown(nearest)}`,
    );
  }
}

const word = (value: number | string | null): string =>
  typeof value === "number" ? shown(value) : (value ?? "nothing");
