import type { BenchReport, Family } from "../document-v2.js";
import { tracksTried } from "../figures/family.js";
import { armFigures, lostSeeds } from "../figures/arm-figures.js";
import type { Judgement } from "../judge.js";
import { seedProfile } from "../../verdict/index.js";
import { mechanismQuotations } from "./mechanism-quotations.js";
import {
  anyText,
  armNames,
  escaped,
  exact,
  limitationsText,
  plain,
  quotation,
  textOf,
  verdictText,
  words,
  type Quotable,
  type Quotation,
} from "./quotation.js";
import { settingQuotations } from "./setting-quotations.js";

/**
 * The quotations that both reports and this package's own texts use. `prefix` is that of the bench report's
 * paths.
 */
export function quotations(bench: BenchReport, prefix: string, judgement: Judgement): Quotation[] {
  return [
    ...meanQuotations(bench),
    ...comparisonQuotations(judgement),
    ...judgedQuotations(bench, judgement),
    ...settingQuotations(bench, prefix, judgement),
    ...mechanismQuotations(bench, prefix),
  ];
}

function meanQuotations(bench: BenchReport): Quotation[] {
  const arms = { baseline: armFigures(bench.baseline.full.per_seed), idea: armFigures(bench.idea.per_seed) };
  const figures = ([first, second]: readonly number[]): Quotable[] =>
    nearerOrder(first, second, arms.idea.mean, arms.baseline.mean).map(plain);
  return [
    { in: verdictText, pattern: words(String.raw`\(N vs N\)`), figures },
    { in: verdictText, pattern: words(String.raw`mean test [\w ]+? N versus N`), figures },
    quotation(verdictText, String.raw`tuned baseline \([\w ]+? N\)`, plain(arms.baseline.mean)),
    ...armNames.map((arm) =>
      quotation(
        textOf(arm),
        String.raw`mean test [\w ]+? N, std N`,
        plain(arms[arm].mean),
        plain(arms[arm].std),
      ),
    ),
  ];
}

/** Two figures in the order in which they lie nearer to two quoted numbers. */
function nearerOrder(first: number, second: number, one: number, other: number): [number, number] {
  const distance = (a: number, b: number): number => Math.abs(first - a) + Math.abs(second - b);
  return distance(other, one) < distance(one, other) ? [other, one] : [one, other];
}

function comparisonQuotations({ pairs, pValue, statistics }: Judgement): Quotation[] {
  const interval = statistics.sign_flip_interval;
  return [
    quotation(anyText, "delta(?: was| ?=)? ?N", plain(pairs.delta_mean)),
    quotation(anyText, String.raw`(?<!sign-flip )\bp ?= ?N`, plain(pValue)),
    quotation(anyText, String.raw`sign-flip p ?= ?N`, plain(statistics.sign_flip.p_value)),
    quotation(anyText, "N/N wins", exact(pairs.idea_wins), exact(pairs.n_pairs)),
    quotation(anyText, "N paired seeds", exact(pairs.n_pairs)),
    quotation(anyText, "same N seeds", exact(pairs.n_pairs)),
    quotation(
      verdictText,
      "N % interval N to N",
      plain(100 * (1 - statistics.alpha)),
      interval ? plain(interval[0]) : undefined,
      interval ? plain(interval[1]) : undefined,
    ),
    quotation(
      limitationsText,
      "With N pairs a difference of N % of the baseline",
      exact(pairs.n_pairs),
      plain(statistics.mde_80.rel_pct),
    ),
  ];
}

/** What the texts of version 2 say of floors, checks, lost seeds and rules. */
function judgedQuotations(bench: BenchReport, { verdicts, family, sequential }: Judgement): Quotation[] {
  if (bench.bench_version === 1) return [];
  const { floors, math_checks: checks, mechanism } = bench;
  const seeds = { baseline: bench.baseline.full.per_seed, idea: bench.idea.per_seed };
  const needed = verdicts.strict.needed_seeds;
  return [
    ...floors.map(({ name, per_seed }) =>
      quotation(verdictText, `(?:\\(|, )${escaped(name)} N`, plain(armFigures(per_seed).mean)),
    ),
    quotation(
      verdictText,
      "N of N identities",
      exact(checks.filter(({ passed }) => passed).length),
      exact(checks.length),
    ),
    quotation(
      verdictText,
      "on N of N trained models",
      exact(mechanism.filter(({ confirmed }) => confirmed).length),
      exact(mechanism.length),
    ),
    quotation(
      verdictText,
      "of N seeds each, N (?:diverged|did not end|diverged or did not end) with the idea and N with",
      exact(seeds.idea.length),
      exact(lostSeeds(seeds.idea)),
      exact(lostSeeds(seeds.baseline)),
    ),
    quotation(
      verdictText,
      "accounted for the difference lies from N to N",
      sequential?.interval ? plain(sequential.interval[0]) : undefined,
      sequential?.interval ? plain(sequential.interval[1]) : undefined,
    ),
    ...familyQuotations(family!),
    quotation(verdictText, "take N seed pairs", needed === undefined ? undefined : exact(needed)),
    quotation(verdictText, "mde_rel_pct (?:at most|not within) N", exact(seedProfile.theta)),
  ];
}

function familyQuotations(family: Family): Quotation[] {
  const { members, own } = family;
  const adjusted = (rule: "holm" | "benjamini_hochberg") => plain(members[own][rule] ?? NaN);
  return [
    quotation(verdictText, "family of N comparisons", exact(members.length)),
    quotation(verdictText, "adjusted to N by Holm", adjusted("holm")),
    quotation(verdictText, "to N by Benjamini", adjusted("benjamini_hochberg")),
    quotation(
      verdictText,
      "N of them not finished",
      exact(members.filter(({ p_value: p }) => p === null).length),
    ),
    quotation(limitationsText, "one of N that were tried", exact(tracksTried(family))),
  ];
}
