import type { Json } from "../../../ideas/index.js";
import { recomputation, type Recomputation } from "../figures/recomputation.js";
import { valueAt } from "../path.js";
import { statistic } from "../present/figure.js";
import type { ReportView } from "../present/report-view.js";
import {
  pairedDifference,
  sharedSeeds,
  type PairedDifference,
  type SharedSeeds,
} from "./paired-difference.js";
import { compareSettings, type SettingComparison } from "./settings.js";

/** A figure or a word of both runs; null where a report has none. */
export interface SideBySide {
  readonly name: string;
  readonly a: Json;
  readonly b: Json;
}

/** Two like runs beside each other. Differences are B − A. */
export interface RunComparison extends SettingComparison {
  readonly figures: readonly SideBySide[];
  readonly seeds: SharedSeeds;
  /** Both arms on the shared seeds; undefined where the runs share none. */
  readonly paired: { readonly baseline: PairedDifference; readonly idea: PairedDifference } | undefined;
  /**
   * With the same settings, code and chosen configuration the baselines of the shared seeds must be the same to the last
   * bit. False where they are not: something outside the settings took part. Undefined where it cannot be told.
   */
  readonly baselinesAgree: boolean | undefined;
}

/**
 * Compares two runs, of which both reports should hold. Where `differences` is not empty they are unlike, and neither the
 * figures side by side nor the paired differences say anything about the ideas.
 */
export function compareRuns(
  a: ReportView,
  b: ReportView,
  costly: Recomputation = recomputation(),
): RunComparison {
  const settings = compareSettings(a.bench, b.bench);
  const seeds = sharedSeeds(a.bench, b.bench);
  const alpha = a.verification.judgement.statistics.alpha;
  const pairs = [a.bench, b.bench] as const;
  const paired =
    seeds.shared.length === 0
      ? undefined
      : {
          baseline: pairedDifference(pairs, "baseline", seeds.shared, alpha, costly),
          idea: pairedDifference(pairs, "idea", seeds.shared, alpha, costly),
        };
  const known = settings.differences.length === 0 && settings.unreported.length === 0;
  const sameChoice = samePlace(a, b, "baseline.best_cfg");
  return {
    ...settings,
    figures: sideBySide(a, b),
    seeds,
    paired,
    baselinesAgree: known && sameChoice && paired ? paired.baseline.identical : undefined,
  };
}

function samePlace(a: ReportView, b: ReportView, path: string): boolean {
  return JSON.stringify(valueAt(a.bench, path)) === JSON.stringify(valueAt(b.bench, path));
}

/** Figures that both versions print, by their path in the bench report. */
const printed = [
  "n_seeds",
  "baseline.best_cfg",
  "baseline.full.mean",
  "baseline.full.std",
  "idea.best_cfg",
  "idea.mean",
  "idea.std",
  "comparison.delta_mean",
  "comparison.idea_wins",
];

/** Figures of the statistics, which for version 1 are computed. */
const computedOnes = [
  "effect.relative_pct",
  "sign_flip.p_value",
  "mde_80.difference",
  "mde_80.rel_pct",
  "equivalence.p_value",
];

function sideBySide(a: ReportView, b: ReportView): SideBySide[] {
  const both = (name: string, of: (view: ReportView) => Json | undefined): SideBySide => ({
    name,
    a: of(a) ?? null,
    b: of(b) ?? null,
  });
  const at = (path: string): SideBySide => both(path, ({ bench }) => valueAt(bench, path));
  return [
    both("idea", ({ title }) => title),
    at("subject.options"),
    ...printed.map(at),
    ...computedOnes.map((path) => both(`statistics.${path}`, (view) => statistic(view, path).value)),
    both("statistics.sign_flip_interval", ({ bench, verification: { judgement } }) => {
      const statistics = bench.bench_version === 2 ? bench.statistics : judgement.statistics;
      return statistics.sign_flip_interval;
    }),
    both("informative", ({ verification }) => verification.informative),
    both("strict verdict", ({ verification }) => verification.verdicts.strict.verdict),
    both("strict caps", ({ verification }) =>
      verification.verdicts.strict.caps.map(({ code }): Json => code),
    ),
    both("strict system verdict", ({ verification }) => verification.verdicts.strict.system_verdict),
    both("seed-v1 practical verdict", ({ verification }) => verification.verdicts.seed.practical_verdict),
    both("seed-v1 system verdict", ({ verification }) => verification.verdicts.seed.system_verdict),
    at("mechanism_signature.confirmed"),
    at("cost.parameters"),
    at("cost.steps"),
    at("cost.seconds"),
  ].filter((row) => row.a !== null || row.b !== null);
}
