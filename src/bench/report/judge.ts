import type { Claim } from "../../ideas/index.js";
import { seedVerdict, strictVerdict, capsOf, confidenceOf, informativeness } from "../verdict/index.js";
import type { Confidence, Informativeness, SeedVerdict, StrictVerdict } from "../verdict/index.js";
import type { BenchReport, BenchReportV2, Family, Statistics, Tuning } from "./document-v2.js";
import { armFigures, lostSeeds } from "./figures/arm-figures.js";
import { meanOfEnded, unfinishedCells, unfinishedSeeds } from "./figures/unfinished.js";
import { familyFigures, tracksTried } from "./figures/family.js";
import { divergenceNotes, divergenceOf } from "./figures/divergence.js";
import { controlFigures, type ControlsJudgement } from "./figures/control-figures.js";
import { pairFigures, type PairFigures } from "./figures/pair-figures.js";
import type { Recomputation } from "./figures/recomputation.js";
import {
  askedFor,
  edgesOf,
  selectionOf,
  sweepPrefix,
  tuningInequalities,
  type ArmSweep,
} from "./figures/tuning.js";
import type { EvidencePath } from "../sequential/index.js";
import { canonicalText } from "./serialize.js";

/** Everything that follows from a bench report's measured values. */
export interface Judgement {
  readonly pairs: PairFigures;
  readonly pValue: number;
  readonly statistics: Statistics;
  /** `undefined` for a version 1 report, which stands alone. */
  readonly family: Family | undefined;
  readonly tuning: Tuning;
  /** The evidence of a run whose seeds were added under a declared plan. */
  readonly sequential: EvidencePath | undefined;
  /** `undefined` for a version 1 report, which has no floors. */
  readonly floors: Informativeness | undefined;
  /** `undefined` for a report without controls. */
  readonly controls: ControlsJudgement | undefined;
  readonly verdicts: { readonly seed: SeedVerdict; readonly strict: StrictVerdict };
  readonly confidence: Confidence;
}

/** The significance level of a report: version 1 does not print it. */
const reportsAlpha = 0.05;

/**
 * Both verdicts and all that they rest on, from the values per seed, the cells and what was measured or chosen. Of
 * the figures that follow from others it reads whether the mechanism was confirmed and the mathematics passed, and in
 * version 1 the means of the sweep, whose values are not reported.
 */
export function judge(bench: BenchReport, costly: Recomputation): Judgement {
  const direction = directionOf(bench);
  const baseline = bench.baseline.full.per_seed;
  const idea = bench.idea.per_seed;
  const second = bench.bench_version === 2 ? bench : undefined;
  const pairs = pairFigures(baseline, idea, direction);
  const pValue = costly.reportP(pairs.per_seed_diffs);
  const alpha = second?.protocol.alpha ?? reportsAlpha;
  const statistics = costly.statistics(baseline, idea, alpha, direction);
  const family = second && familyOf(second, statistics.sign_flip.p_value);
  const tuning = tuningOf(bench);
  const plan = second?.protocol.sequential;
  const sequential = plan && costly.evidence(pairs.per_seed_diffs, plan, alpha);
  const floors = second && floorsOf(second);
  const quick = second?.protocol.preset === "quick";
  const planned = second?.protocol.planned_seeds;
  const unfinished = second ? unfinishedCells(second) : [];
  const directed = (second?.protocol.caps_version ?? 1) > 1;
  const caps = capsOf({
    quick,
    ...(planned !== undefined && { partial: { seeds: baseline.length, planned } }),
    informative: floors?.informative,
    unbeatenFloors: floors?.unbeaten ?? [],
    selection: second && tuning.selection,
    edges: (["baseline", "idea"] as const).flatMap((arm) =>
      tuning[arm].edge.includes("lr") ? [{ arm, rate: Number(sweepOf(bench, arm)?.best.lr) }] : [],
    ),
    inequalities: tuning.inequalities,
    ...(sequential && { seedsAsDeclared: !["open", "not as declared"].includes(sequential.stopped) }),
    diverged: second ? divergedCells(second, directed) : divergedSeeds(bench),
    directed,
    unfinished,
  });
  const mechanism = mechanismOf(bench);
  const improvement = direction === "lower" ? -pairs.delta_mean : pairs.delta_mean;
  const { sign_flip_interval: interval, equivalence, needed_seeds } = statistics;
  const strict = strictVerdict({
    alpha,
    margin: equivalence.margin,
    marginPct: equivalence.margin_pct,
    pValue: sequential?.p_value ?? statistics.sign_flip.p_value,
    ...(family && family.members.length > 1 ? { family: adjustedOf(family) } : {}),
    method: sequential ? "e-process" : statistics.sign_flip.method,
    improvement,
    interval: (sequential ? sequential.interval : interval) ?? undefined,
    tostP: equivalence.p_value,
    seeds: baseline.length,
    neededSeeds: needed_seeds[0].pairs ?? undefined,
    diverged: divergedSeeds(bench),
    withoutValue: withoutValue(bench),
    caps,
    ...(second && directed && { notes: divergenceNotes(second) }),
    mathPassed: mechanism.mathPassed ?? true,
    claimHeld: mechanism.confirmed,
    control: mechanism.control,
  });
  return {
    pairs,
    pValue,
    statistics,
    sequential,
    family,
    tuning,
    floors,
    controls: second?.controls && controlFigures(second, second.controls, costly),
    verdicts: {
      seed: seedVerdict({
        quick,
        partial: planned !== undefined,
        unfinished: unfinished.length > 0,
        pValue,
        improvement,
        mdeRelPct: pairs.mde_rel_pct,
        mechanismConfirmed: mechanism.confirmed,
        mathPassed: mechanism.mathPassed,
      }),
      strict,
    },
    confidence: confidenceOf({
      tracks: family ? tracksTried(family) : 1,
      seeds: baseline.length,
      measuredOnTrainedModel: mechanism.measured,
      recomputes: true,
      caps: strict.caps,
    }),
  };
}

/** The family of a report, its own comparison as it follows from the report. */
function familyOf(bench: BenchReportV2, pValue: number): Family {
  const { own, members } = bench.family;
  const { track, model, subject } = bench;
  const comparisons = members.map((member, at) =>
    at === own ? { idea: subject.name, track, model, p_value: pValue } : member,
  );
  return familyFigures(comparisons, own);
}

const adjustedOf = ({ members, own }: Family): { size: number; pValue: number } => ({
  size: members.length,
  pValue: members[own].holm!,
});

/** The direction of a report's metric in one word. */
export function directionOf(bench: BenchReport): "lower" | "higher" {
  return bench.metric_direction === "lower is better" ? "lower" : "higher";
}

/**
 * The sweep of an arm; a version 1 report may have none for the idea, and does not say which seeds ranked it.
 */
export function sweepOf(bench: BenchReport, arm: "baseline" | "idea"): ArmSweep | undefined {
  const { sweep, best_cfg: best } = bench[arm];
  if (!sweep || !best) return undefined;
  if (bench.bench_version === 2) return { sweep, best, seeds: bench[arm].sweep[0].seeds };
  const values = arm === "baseline" ? bench.baseline.full.per_seed : bench.idea.per_seed;
  const row = sweep.find(({ cfg }) => canonicalText(cfg) === canonicalText(best));
  const names = values.map((_, at) => String(bench.protocol?.seeds?.[at] ?? at));
  return { sweep, best, seeds: row ? names.slice(0, sweepPrefix(row.mean, values).k) : names };
}

function tuningOf(bench: BenchReport): Tuning {
  const second = bench.bench_version === 2 ? bench : undefined;
  const arms = (["baseline", "idea"] as const).map((arm) => sweepOf(bench, arm));
  const inequalities = tuningInequalities(arms[0], arms[1]);
  const [baseline, idea] = arms.map((arm) => ({
    seeds: arm?.seeds ?? [],
    configurations: arm?.sweep.length ?? 0,
    cells: (arm?.sweep.length ?? 0) * (arm?.seeds.length ?? 0),
    edge: arm ? edgesOf(arm) : [],
  }));
  const asked = second && askedFor(second);
  return {
    selection: second ? selectionOf(second) : "test",
    baseline,
    idea,
    ...(asked ? { extensions: asked.extensions } : {}),
    equal: inequalities.length === 0,
    inequalities,
  };
}

function floorsOf(bench: BenchReportV2): Informativeness {
  const floors = bench.floors.map(({ name, per_seed }) => ({ name, mean: armFigures(per_seed).mean }));
  return informativeness(meanOfEnded(bench), floors, directionOf(bench));
}

/** Final seeds that have no finite metric, but for those whose cells did not end. */
function divergedSeeds(bench: BenchReport): { baseline: number; idea: number } {
  const { baseline, idea } = withoutValue(bench);
  return {
    baseline: lostSeeds(bench.baseline.full.per_seed) - baseline,
    idea: lostSeeds(bench.idea.per_seed) - idea,
  };
}

function withoutValue(bench: BenchReport): { baseline: number; idea: number } {
  return { baseline: unfinishedSeeds(bench, "baseline"), idea: unfinishedSeeds(bench, "idea") };
}

function divergedCells(bench: BenchReportV2, directed: boolean): { baseline: number; idea: number } {
  const lost = (arm: "baseline" | "idea"): number =>
    directed
      ? divergenceOf(bench, arm).bearing
      : bench.cells.filter((cell) => cell.arm === arm && cell.status === "diverged").length;
  return { baseline: lost("baseline"), idea: lost("idea") };
}

function mechanismOf(bench: BenchReport): {
  confirmed: boolean;
  mathPassed: boolean | undefined;
  measured: boolean;
  control: "refuted" | "not refuted" | "not reported";
} {
  const confirmed = bench.mechanism_signature.confirmed;
  const passed = bench.math_verification?.passed;
  if (bench.bench_version === 1) {
    const trained = bench.mechanism_signature.trained_model;
    const measured = trained === true || (typeof trained === "object" && trained !== null);
    return { confirmed, mathPassed: passed, measured, control: "not reported" };
  }
  const trained = bench.mechanism
    .flatMap(({ claims }) => claims)
    .filter(({ where }) => where === "trained model");
  return { confirmed, mathPassed: passed, measured: trained.length > 0, control: controlOf(trained) };
}

/**
 * The control of a quantity is refuted when it is refuted on more than half of the trained models: a sampled
 * one may miss on a single model, and the family-wise decision is already part of the confirmation.
 */
function controlOf(claims: readonly Claim[]): "refuted" | "not refuted" | "not reported" {
  if (claims.length === 0) return "not reported";
  const quantities = [...new Set(claims.map(({ quantity }) => quantity))];
  const refuted = quantities.every((name) => {
    const own = claims.filter(({ quantity }) => quantity === name);
    return own.filter(({ control }) => control.refuted).length > own.length / 2;
  });
  return refuted ? "refuted" : "not refuted";
}
