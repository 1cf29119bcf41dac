import type { EvidencePath } from "../sequential/index.js";
import type { ReportConfig } from "./document.js";
import type { BenchReportV2 } from "./document-v2.js";
import { signFlipName, type StrictVerdict } from "../verdict/index.js";
import { tracksTried } from "./figures/family.js";
import { lostSeeds } from "./figures/arm-figures.js";
import { lossOf } from "./figures/unfinished.js";
import type { Judgement } from "./judge.js";

/**
 * A figure for reading: whole numbers in full, others to six significant digits, very large and small ones
 * with an exponent.
 */
export function shown(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  return size < 1e-4 || size >= 1e6 ? value.toExponential(4) : String(Number(value.toPrecision(6)));
}

/** A difference for reading, always with its sign. */
export function signed(value: number): string {
  return value > 0 ? `+${shown(value)}` : shown(value);
}

/**
 * The run in plain sentences: whether it says anything at all, the effect with its interval and the seeds
 * won, the checks, and what each profile's rule makes of it.
 */
export function verdictSentence(bench: BenchReportV2, judgement: Judgement): string {
  const beside = judgement.controls?.finding ?? "";
  return [
    openingOf(bench, judgement),
    effectOf(bench, judgement),
    ...sequentialText(bench, judgement),
    ...familyOf(judgement),
    checksOf(bench),
    ...(beside === "" ? [] : [beside]),
    rulesOf(judgement),
  ].join(" ");
}

function openingOf(bench: BenchReportV2, { floors }: Judgement): string {
  const quick = bench.protocol.preset === "quick" ? "No verdict: a smoke run of the preset quick. " : "";
  if (floors?.informative) return `${quick}The tuned baseline beats every floor.`;
  const mean = shown(bench.baseline.full.mean);
  return (
    `${quick}Uninformative: the tuned baseline (${bench.metric} ${mean}) does not beat every floor ` +
    `(${floors?.unbeaten.join(", ") ?? "none measured"}), so this run proves nothing about the idea.`
  );
}

function effectOf(bench: BenchReportV2, { pairs, pValue, statistics }: Judgement): string {
  const subject = `${bench.subject.title} on ${bench.track} with ${bench.model}`;
  const [baselineLost, ideaLost] = [lostSeeds(bench.baseline.full.per_seed), lostSeeds(bench.idea.per_seed)];
  if (baselineLost + ideaLost > 0) {
    return (
      `${subject}: of ${pairs.n_pairs} seeds each, ${ideaLost} ${lossOf(bench)} with the idea and ${baselineLost} with ` +
      `the baseline; the arms cannot be compared, and no seed is left out to make them comparable.`
    );
  }
  const better = (bench.metric_direction === "lower is better") === pairs.delta_mean < 0;
  const judged = pairs.delta_mean === 0 ? "no difference" : better ? "better" : "worse";
  const interval = statistics.sign_flip_interval;
  const range = interval
    ? `${100 * (1 - statistics.alpha)} % interval ${signed(interval[0])} to ${signed(interval[1])}`
    : "too few pairs for an interval";
  return (
    `${subject}: mean test ${bench.metric} ${shown(bench.idea.mean)} versus ` +
    `${shown(bench.baseline.full.mean)} for the tuned baseline (paired delta ${signed(pairs.delta_mean)}, ` +
    `${judged}; ${range}; ${pairs.idea_wins}/${pairs.n_pairs} wins; ` +
    `p=${pValue}, ${signFlipName(statistics.sign_flip.method)} p=${statistics.sign_flip.p_value}).`
  );
}

/** Of a comparison that was not made alone: its p for all of them. */
function familyOf({ family }: Judgement): string[] {
  const { holm = null, benjamini_hochberg: bh = null } = family?.members[family.own] ?? {};
  if (family === undefined || family.members.length === 1 || holm === null || bh === null) return [];
  const unfinished = family.members.filter(({ p_value: p }) => p === null).length;
  const rest = unfinished === 0 ? "" : `; ${unfinished} of them not finished, counted as no evidence`;
  return [
    `In its family of ${family.members.length} comparisons the probability is adjusted to ${shown(holm)} by Holm, ` +
      `which decides, and to ${shown(bh)} by Benjamini–Hochberg${rest}.`,
  ];
}

function checksOf(bench: BenchReportV2): string {
  const held = bench.math_checks.filter(({ passed }) => passed).length;
  const confirmed = bench.mechanism.filter((seed) => seed.confirmed).length;
  const mechanism = bench.mechanism_signature.confirmed ? "confirmed" : "not confirmed";
  return (
    `Mathematics: ${held} of ${bench.math_checks.length} identities hold. Mechanism ${mechanism} ` +
    `(claims and controls as they must be on ${confirmed} of ${bench.mechanism.length} trained models).`
  );
}

/** The looks of a sequential run and why it ended; nothing for a run whose seeds were set before. */
function sequentialText(bench: BenchReportV2, { sequential }: Judgement): string[] {
  const plan = bench.protocol.sequential;
  if (!plan || !sequential) return [];
  const path = sequential.looks.map(({ pairs, evidence }) => `${shown(evidence)} after ${pairs}`).join(", ");
  return [
    `Seeds were added under a declared plan (${plan.start} first, ${plan.step} at a time, ${plan.most} at most); the ` +
      `evidence E was ${path || "not defined"}, and the run ended: ${endings[sequential.stopped]}. The sign-flip p, the t test and their ` +
      `intervals do not account for the looks, so E decides; ${lookProof(sequential)}.`,
  ];
}

/** The interval that accounts for the looks, in words that no other interval has. */
function lookProof({ interval }: EvidencePath): string {
  return interval === null
    ? "too few pairs for limits of the difference that do"
    : `with the looks accounted for the difference lies from ${signed(interval[0])} to ${signed(interval[1])}`;
}

export const endings: Readonly<Record<EvidencePath["stopped"], string>> = {
  evidence: "E reached 1/alpha",
  most: "the most seeds were reached",
  diverged: "a model diverged, or its cell did not end",
  open: "before the plan was carried out",
  "not as declared": "seeds were added otherwise than declared",
};

function rulesOf({ verdicts: { seed, strict } }: Judgement): string {
  const why =
    strict.caps.length > 0 ? `capped: ${strict.caps.map(({ code }) => code).join(", ")}` : strict.rule;
  return (
    `seed-v1: system ${seed.system_verdict}, practical ${seed.practical_verdict} (${seed.rule}). ` +
    `strict: ${strict.verdict} (${why}).${settlementOf(strict)}`
  );
}

/** More seeds do not make an uninformative run informative, so there none are recommended. */
function settlementOf({ caps, needed_seeds: pairs }: StrictVerdict): string {
  if (pairs === undefined || caps.some(({ code }) => code === "uninformative")) return "";
  const when = caps.length > 0 ? "With the caps lifted it" : "It";
  return ` ${when} would take ${pairs} seed pairs to see a difference that matters.`;
}

/** The `metrics` of a report, worded as in the two reports. */
export function metricsTexts(bench: BenchReportV2): {
  baseline: string;
  idea: string;
  mechanism_signature: string;
} {
  const { comparison, mechanism_signature: signature } = bench;
  const arm = (name: "baseline" | "idea", mean: number, std: number): string => {
    const { sweep, best_cfg: best } = bench[name];
    const rows = sweep.map((row) => `${settingsText(row.cfg)} ${shown(row.mean)}`).join(", ");
    const figures = `mean test ${bench.metric} ${shown(mean)}, std ${shown(std)}`;
    const part = bench.tuning.selection === "validation" ? " on the validation part" : "";
    return `best ${settingsText(best)}; ${figures}. Sweep means${part}: ${rows}.`;
  };
  return {
    baseline:
      `${bench.track} ${bench.model}, ${bench.n_seeds} paired seeds, ` +
      arm("baseline", bench.baseline.full.mean, bench.baseline.full.std),
    idea:
      `${bench.subject.title}, same seeds, ${arm("idea", bench.idea.mean, bench.idea.std)} Paired delta ` +
      `${signed(comparison.delta_mean)}, ${comparison.idea_wins}/${comparison.n_pairs} wins, ` +
      `p=${comparison.p_value}.`,
    mechanism_signature:
      `predicted ${quoted(signature.predicted)}; observed ${quoted(signature.observed)}; ` +
      `confirmed=${signature.confirmed}.`,
  };
}

/** A configuration as `lr=0.003 rank=2`. */
export function settingsText(cfg: ReportConfig): string {
  return Object.entries(cfg)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(" ");
}

function quoted(value: number | string | null): string {
  return typeof value === "number" ? shown(value) : (value ?? "not measured");
}

function tracksOf(bench: BenchReportV2, family: Judgement["family"]): string {
  const tried = family ? tracksTried(family) : 1;
  return tried === 1
    ? `Only the track ${bench.track} was tried`
    : `This report is of the track ${bench.track}, one of ${tried} that were tried`;
}

/** What the run does not show. */
export function limitationsText(
  bench: BenchReportV2,
  { family, floors, statistics, verdicts, tuning }: Judgement,
): string {
  const { protocol } = bench;
  const one = statistics.mde_80.rel_pct;
  const sentences = [
    `${tracksOf(bench, family)}, with ${protocol.n_train} training series and ` +
      `${protocol.n_test} test series a seed and ${protocol.epochs} epochs.`,
    floors?.informative
      ? "Beating the floors says that the baseline learned something, not that it is a strong one."
      : `At this size the network is no better than a predictor without one, so ${protocol.n_train} training ` +
        "series prove nothing about the idea, whichever arm is ahead.",
  ];
  if (Number.isFinite(one)) {
    sentences.push(
      `With ${bench.n_seeds} pairs a difference of ${one.toPrecision(3)} % of the baseline is found four times ` +
        "in five; the mde is found about half of the time.",
    );
  }
  if (bench.tuning.selection === "test") {
    sentences.push("The learning rate was chosen on the test metric, which flatters both arms.");
  }
  if (!tuning.equal) sentences.push(`The arms were tuned unequally: ${tuning.inequalities.join("; ")}.`);
  if (verdicts.strict.caps.some(({ code }) => code === "grid-edge")) {
    const tries = tuning.extensions?.length ?? 0;
    sentences.push(
      `A best learning rate lies at an end of the grid${tries > 0 ? ` even after ${tries} of its extensions` : ""}, so a ` +
        "better one may lie outside.",
    );
  }
  const unmeasured = bench.cost.memory === undefined ? "Memory was not measured; wall" : "Wall";
  sentences.push(`${unmeasured} time depends on the machine and on what else ran there.`);
  return sentences.join(" ");
}
