import type { ArmRecord, RunRecord } from "../record.js";
import { capsVersion } from "./figures/divergence.js";
import { digestsOf } from "./digests.js";
import type { Statement } from "./document.js";
import type { ControlFigures, ControlsSection } from "./document-controls.js";
import type { BenchReportV2, CellFigures, FloorFigures, FullSweepFigures, ReportV2 } from "./document-v2.js";
import { armFigures, isBetter } from "./figures/arm-figures.js";
import type { ControlsJudgement } from "./figures/control-figures.js";
import { costRatios } from "./figures/cost.js";
import { furtherMetricFigures } from "./figures/further-metrics.js";
import { meanOfEnded } from "./figures/unfinished.js";
import { recomputation, type Recomputation } from "./figures/recomputation.js";
import { judge, type Judgement } from "./judge.js";
import { familyFigures } from "./figures/family.js";
import { limitationsText, metricsTexts, verdictSentence } from "./sentences.js";

/**
 * The version 2 report of a run: every key of the two reports with its name and meaning, and beside them the
 * sign-flip test, intervals, effect sizes, tuning, floors, claims with their controls, both verdicts, provenance,
 * cells and a digest of each section. Everything derived is computed from the values in the record;
 * `verifyReport` holds for the result. `costly` may be shared by reports of the same runs.
 */
export function buildReport(run: RunRecord, costly: Recomputation = recomputation()): ReportV2 {
  const bare = measuredBench(run);
  const floored = { ...bare, floors: floorFigures(run, meanOfEnded(bare)) };
  const measured = withFurtherMetrics(floored, run, costly);
  const judgement = judge(measured, costly);
  const bench = withJudgement(measured, judgement);
  const statement = statementFor(bench, judgement);
  return { ...statement, bench_report: { ...bench, digests: digestsOf(statement, bench) } };
}

/** The report with its measured values; what follows from them is put in by {@link withJudgement}. */
function measuredBench(run: RunRecord): BenchReportV2 {
  const { protocol } = run;
  const baseline = armFigures(run.baseline.values);
  const idea = armFigures(run.ideaArm.values);
  const pending = {} as Pick<BenchReportV2, "comparison" | "statistics" | "verdicts" | "cost">;
  return {
    ...pending,
    bench_version: 2,
    track: run.track,
    model: run.model,
    metric: run.metric ?? "metric",
    metric_direction: run.direction === "lower" ? "lower is better" : "higher is better",
    n_seeds: run.baseline.values.length,
    subject: { name: run.idea.name, title: run.idea.title, options: run.idea.options },
    baseline: {
      best_cfg: run.baseline.best,
      sweep: sweepFigures(run.baseline, protocol.sweepSeeds.baseline),
      full: baseline,
    },
    idea: { ...idea, best_cfg: run.ideaArm.best, sweep: sweepFigures(run.ideaArm, protocol.sweepSeeds.idea) },
    mechanism_signature: run.mechanism.mechanism as unknown as BenchReportV2["mechanism_signature"],
    math_verification: run.mechanism.mathematics as unknown as BenchReportV2["math_verification"],
    protocol: {
      preset: protocol.preset,
      epochs: protocol.epochs,
      n_train: protocol.trainSize,
      n_validation: protocol.validationSize,
      n_test: protocol.testSize,
      batch_size: protocol.batchSize,
      optimizer: protocol.optimizer,
      alpha: protocol.alpha,
      rates: protocol.rates,
      grid_options: protocol.gridOptions,
      most_extensions: protocol.mostExtensions,
      grid: protocol.grid,
      seeds: protocol.seeds.map(String),
      ...(protocol.plannedSeeds !== undefined && { planned_seeds: protocol.plannedSeeds }),
      ...(protocol.sequential && { sequential: protocol.sequential }),
      caps_version: capsVersion,
    },
    tuning: {} as BenchReportV2["tuning"],
    family: familyOf(run),
    informative: false,
    floors: [],
    ...controlsMeasured(run),
    math_checks: run.checks,
    mechanism: run.signatures.map(({ seed, signature }) => ({
      seed: String(seed),
      confirmed: signature.confirmed,
      claims: signature.claims,
      figures: signature.figures,
    })),
    ...(run.unmeasured && {
      unmeasured: run.unmeasured.map((model) => ({ ...model, seed: String(model.seed) })),
    }),
    confidence_reasons: [],
    provenance: provenanceOf(run),
    cells: run.cells.map((cell): CellFigures => ({ ...cell, seed: String(cell.seed) })),
    digests: {},
  };
}

/** Where and with what the run was made, as plain data. */
function provenanceOf({ provenance: { plugins, ...rest } }: RunRecord): BenchReportV2["provenance"] {
  return { ...rest, ...(plugins && { plugins: plugins.map((origin) => ({ ...origin })) }) };
}

/** The comparisons made together; the run's own p follows from its values. */
function familyOf(run: RunRecord): BenchReportV2["family"] {
  const alone = [{ idea: run.idea.name, track: run.track, model: run.model, pValue: null }];
  const { own, members } = run.family ?? { own: 0, members: alone };
  return familyFigures(
    members.map(({ pValue, ...rest }) => ({ ...rest, p_value: pValue })),
    own,
  );
}

/** The figures that the track measures beside its metric, where it has any. */
function withFurtherMetrics(bench: BenchReportV2, run: RunRecord, costly: Recomputation): BenchReportV2 {
  if (run.furtherMetrics === undefined) return bench;
  const figures = run.furtherMetrics.map((metric) => furtherMetricFigures(metric, bench, costly));
  return { ...bench, further_metrics: figures };
}

/** The sweep of an arm over the seeds that rank its configurations. */
function sweepFigures(arm: ArmRecord, sweepSeeds: readonly number[]): FullSweepFigures[] {
  const ranking = new Set(sweepSeeds);
  return arm.sweep.map(({ cfg, seeds, values }) => {
    const used = seeds
      .map((seed, at) => ({ seed, value: values[at] }))
      .filter(({ seed }) => ranking.has(seed));
    const { mean, std, per_seed, n } = armFigures(used.map(({ value }) => value));
    return { cfg, mean, std, n, seeds: used.map(({ seed }) => String(seed)), per_seed };
  });
}

function floorFigures(run: RunRecord, baselineMean: number): FloorFigures[] {
  return run.floors.map(({ name, seeds, values }) => {
    const figures = armFigures(values);
    return {
      name,
      ...figures,
      seeds: seeds.map(String),
      beaten: isBetter(baselineMean, figures.mean, run.direction),
    };
  });
}

/** Every section in the order in which the file has it. */
function withJudgement(bench: BenchReportV2, judgement: Judgement): Omit<BenchReportV2, "digests"> {
  const { pairs, pValue, statistics, tuning, floors, verdicts, confidence } = judgement;
  return {
    bench_version: 2,
    track: bench.track,
    model: bench.model,
    metric: bench.metric,
    metric_direction: bench.metric_direction,
    n_seeds: bench.n_seeds,
    informative: floors?.informative ?? false,
    verdicts: { seed_v1: verdicts.seed, strict: verdicts.strict },
    confidence_reasons: confidence.reasons,
    subject: bench.subject,
    baseline: bench.baseline,
    idea: bench.idea,
    comparison: {
      delta_mean: pairs.delta_mean,
      idea_wins: pairs.idea_wins,
      n_pairs: pairs.n_pairs,
      per_seed_diffs: pairs.per_seed_diffs,
      p_value: pValue,
      mde: pairs.mde,
      mde_rel_pct: pairs.mde_rel_pct,
      verdict: verdicts.seed.comparison_verdict,
      system_worked: verdicts.seed.worked,
    },
    statistics,
    ...(judgement.sequential && { sequential: judgement.sequential }),
    family: judgement.family!,
    floors: bench.floors,
    ...(bench.further_metrics ? { further_metrics: bench.further_metrics } : {}),
    ...(bench.controls && judgement.controls
      ? { controls: withControls(bench.controls, judgement.controls) }
      : {}),
    tuning,
    mechanism_signature: bench.mechanism_signature,
    math_verification: bench.math_verification,
    math_checks: bench.math_checks,
    mechanism: bench.mechanism,
    ...(bench.unmeasured && { unmeasured: bench.unmeasured }),
    protocol: bench.protocol,
    cost: costRatios(bench),
    provenance: bench.provenance,
    cells: bench.cells,
  };
}

/** The controls with their measured values; what follows from them is put in by {@link withControls}. */
function controlsMeasured(run: RunRecord): { readonly controls?: ControlsSection } {
  if (run.controls.length + run.baselineControls.length === 0) return {};
  const arms = run.controls.map((arm) => {
    const { name, title, statement, why, kind } = arm.control;
    const words = { name, title, statement, why, kind };
    const sweep = sweepFigures(arm, run.protocol.sweepSeeds.idea);
    return { ...words, best_cfg: arm.best, sweep, ...armFigures(arm.values) } as unknown as ControlFigures;
  });
  const is_baseline = run.baselineControls.map(({ name, title, statement, why }) => ({
    name,
    title,
    statement,
    why,
  }));
  return { controls: { arms, is_baseline } as unknown as ControlsSection };
}

function withControls(
  { arms, is_baseline }: ControlsSection,
  { alpha, finding, arms: judged }: ControlsJudgement,
): ControlsSection {
  return { alpha, finding, arms: arms.map((arm, at) => ({ ...arm, ...judged[at] })), is_baseline };
}

function statementFor(bench: Omit<BenchReportV2, "digests">, judgement: Judgement): Statement {
  const { verdicts, confidence } = judgement;
  const whole = { ...bench, digests: {} };
  return {
    worked: verdicts.seed.worked,
    confidence: confidence.value,
    verdict: verdictSentence(whole, judgement),
    metrics: metricsTexts(whole),
    files: ["bench_report.json"],
    limitations: limitationsText(whole, judgement),
    system_verdict: verdicts.seed.system_verdict,
    practical_verdict: verdicts.seed.practical_verdict,
    mechanism_ok: verdicts.seed.mechanism_ok,
    system_judged: true,
  };
}
