import {
  MOST_BCA_PAIRS,
  MOST_EXACT_PAIRS,
  bcaInterval,
  detectableEffect,
  dz,
  fewestPairs,
  hedgesGz,
  hodgesLehmann,
  mean,
  neededPairs,
  pairCorrelation,
  pairedT,
  probabilityOfImprovement,
  sampleStd,
  signFlipInterval,
  signFlipTest,
  tInterval,
  tost,
} from "../../../stats/index.js";
import type { Statistics } from "../document-v2.js";

/** The margin of the strict profile in percent of the baseline's mean. */
export const marginPct = 5;
const power = 0.8;

/**
 * The statistics that version 2 adds to a comparison. Where one does not exist it is NaN, and null for an
 * interval or a number of pairs: with a diverged seed, with a single pair, and for effects relative to the
 * spread when all differences are equal.
 */
export function statisticsOf(
  baseline: readonly number[],
  idea: readonly number[],
  alpha: number,
  direction: "lower" | "higher",
): Statistics {
  const diffs = idea.map((value, seed) => value - baseline[seed]);
  const n = diffs.length;
  if (n < 2 || ![...baseline, ...idea, total(diffs)].every(Number.isFinite)) return noStatistics(n, alpha);
  const spread = sampleStd(diffs);
  const varies = diffs.some((difference) => difference !== diffs[0]);
  const scale = Math.abs(mean(baseline));
  const detectable = detectableEffect({ n, alpha, power });
  const margin = (marginPct / 100) * scale;
  const { method, extreme, total: patterns, p } = signFlipTest(diffs);
  const t = varies ? pairedT(diffs) : { t: NaN, df: n - 1, p: NaN };
  const improvement = probabilityOfImprovement(diffs, direction, alpha);
  return {
    alpha,
    sign_flip: { method, extreme, total: patterns, p_value: p },
    paired_t: { t: t.t, df: t.df, p_value: t.p },
    t_interval: varies ? tInterval(diffs, alpha) : null,
    sign_flip_interval: signFlipInterval(diffs, alpha) ?? null,
    bca_interval: varies && n <= MOST_BCA_PAIRS ? bca(diffs, alpha) : null,
    effect: {
      relative_pct: (100 * mean(diffs)) / scale,
      dz: varies ? dz(diffs) : NaN,
      hedges_gz: varies ? hedgesGz(diffs) : NaN,
      hodges_lehmann: hodgesLehmann(diffs),
      pair_correlation: varied(baseline) && varied(idea) ? pairCorrelation(baseline, idea) : NaN,
    },
    improvement: { probability: improvement.probability, interval: improvement.interval },
    mde_80: { dz: detectable, difference: detectable * spread, rel_pct: (100 * detectable * spread) / scale },
    equivalence: { margin_pct: marginPct, margin, p_value: margin > 0 ? tost(diffs, margin).p : 1 },
    needed_seeds: [marginPct, 10].map((percent) => ({
      difference_pct: percent,
      pairs: varies ? neededFor((percent / 100) * scale, spread, alpha) : null,
    })),
  };
}

/** What is left of the statistics when the arms cannot be compared. */
function noStatistics(n: number, alpha: number): Statistics {
  return {
    alpha,
    sign_flip: {
      method: n > MOST_EXACT_PAIRS ? "monte-carlo" : "exact",
      extreme: NaN,
      total: NaN,
      p_value: NaN,
    },
    paired_t: { t: NaN, df: n - 1, p_value: NaN },
    t_interval: null,
    sign_flip_interval: null,
    bca_interval: null,
    effect: { relative_pct: NaN, dz: NaN, hedges_gz: NaN, hodges_lehmann: NaN, pair_correlation: NaN },
    improvement: { probability: NaN, interval: null },
    mde_80: { dz: NaN, difference: NaN, rel_pct: NaN },
    equivalence: { margin_pct: marginPct, margin: NaN, p_value: NaN },
    needed_seeds: [marginPct, 10].map((percent) => ({ difference_pct: percent, pairs: null })),
  };
}

function bca(diffs: readonly number[], alpha: number): [number, number] {
  const { low, high } = bcaInterval(diffs, alpha);
  return [low, high];
}

/** Never fewer pairs than the exact sign-flip test needs to be able to reach α at all. */
function neededFor(difference: number, spread: number, alpha: number): number | null {
  const effect = difference / spread;
  if (!(effect > 0) || !Number.isFinite(effect)) return null;
  const pairs = Math.max(Math.ceil(neededPairs({ dz: effect, alpha, power })), fewestPairs(alpha));
  return Number.isSafeInteger(pairs) ? pairs : null;
}

const total = (diffs: readonly number[]): number =>
  diffs.reduce((sum, difference) => sum + Math.abs(difference), 0);

const varied = (values: readonly number[]): boolean => values.some((value) => value !== values[0]);
