import { lostSeeds } from "../figures/arm-figures.js";
import { lossOf } from "../figures/unfinished.js";
import { directionOf } from "../judge.js";
import { endings } from "../sentences.js";
import { computed, intervalOf, reported, statistic } from "./figure.js";
import { joined, phrase, type Phrase } from "./phrase.js";
import type { ReportView } from "./report-view.js";

/** What a run says, for a reader who knows no statistics. */
export interface PlainVerdict {
  /** How it is coloured: never the only sign, the headline says the same. */
  readonly tone: "better" | "worse" | "same" | "open";
  readonly headline: string;
  readonly sentences: readonly Phrase[];
}

/** The verdict of a report in plain words, from the strict profile: headline, effect, certainty, mechanism, and what holds it back. */
export function plainVerdict(view: ReportView): PlainVerdict {
  const diverged = divergenceOf(view);
  const sentences = [
    ...(diverged
      ? [diverged]
      : [
          effectOf(view),
          ...(sequentialCertaintyOf(view) ?? [certaintyOf(view)]),
          ...familyOf(view),
          ...powerOf(view),
        ]),
    mechanismOf(view),
    ...restraintsOf(view),
  ];
  return { ...headlineOf(view), sentences };
}

function headlineOf(view: ReportView): Pick<PlainVerdict, "tone" | "headline"> {
  const { strict } = view.verification.verdicts;
  const capped = (code: string): boolean => strict.caps.some((cap) => cap.code === code);
  if (capped("quick"))
    return { tone: "open", headline: "No verdict: a smoke run, too small to judge anything by" };
  if (capped("partial"))
    return {
      tone: "open",
      headline: "No verdict yet: the run has not ended, and these are the seeds so far",
    };
  if (capped("unfinished-cells"))
    return {
      tone: "open",
      headline: "No verdict yet: some cells did not end, and a resumed run tries them again",
    };
  if (view.verification.informative === false) {
    return { tone: "open", headline: "Uninformative: this run cannot tell whether the idea works" };
  }
  switch (strict.verdict) {
    case "worked":
      return strict.mechanism_stands
        ? {
            tone: "better",
            headline: "The idea worked: better than the tuned baseline, by its own mechanism",
          }
        : { tone: "better", headline: "Better than the tuned baseline, but its mechanism does not stand" };
    case "harmful":
      return { tone: "worse", headline: "Harmful: worse than the tuned baseline" };
    case "trivial":
      return { tone: "same", headline: "Trivial: a difference that is real, and too small to matter" };
    case "no_effect":
      return { tone: "same", headline: "No effect: no difference that matters" };
    case "inconclusive":
      return { tone: "open", headline: "Inconclusive: this run does not settle whether the idea works" };
  }
}

function divergenceOf(view: ReportView): Phrase | undefined {
  const [baseline, idea] = [
    lostSeeds(view.bench.baseline.full.per_seed),
    lostSeeds(view.bench.idea.per_seed),
  ];
  if (baseline + idea === 0) return undefined;
  return phrase`Of ${reported(view, "comparison.n_pairs")} seeds each, ${String(idea)} ${lossOf(view.bench)} with the idea and ${String(baseline)} with the baseline. The arms cannot be compared, and no seed is left out to make them comparable.`;
}

function effectOf(view: ReportView): Phrase {
  const delta = view.bench.comparison.delta_mean;
  const better = (directionOf(view.bench) === "lower") === delta < 0;
  const judged = delta === 0 ? "no difference" : better ? "better" : "worse";
  const change = statistic(view, "effect.relative_pct", "signed percent");
  return phrase`Over ${reported(view, "comparison.n_pairs")} paired seeds the mean test ${view.metric} was ${reported(view, "idea.mean")} with the idea and ${reported(view, "baseline.full.mean")} with the tuned baseline: ${change}, ${judged}. The idea won on ${reported(view, "comparison.idea_wins")} of ${reported(view, "comparison.n_pairs")} seeds.`;
}

function certaintyOf(view: ReportView): Phrase {
  const p = statistic(view, "sign_flip.p_value");
  const margin = statistic(view, "equivalence.margin");
  const marginPct = statistic(view, "equivalence.margin_pct", "percent");
  const level = `${Number((100 * (1 - statistic(view, "alpha").value)).toPrecision(12))} %`;
  const interval = intervalOf(view, "sign_flip_interval");
  const range = interval
    ? phrase`The mean difference lies between ${interval[0]} and ${interval[1]} with ${level} confidence`
    : phrase`There are too few seeds for an interval of the mean difference`;
  return phrase`${range}; within ±${margin} (${marginPct} of the baseline) it would not matter. If the idea made no difference, one as large would come about by chance with probability ${p}.`;
}

/** Of seeds that were added under a declared plan: what holds whenever the run ended; undefined where the seeds were set before. */
function sequentialCertaintyOf(view: ReportView): Phrase[] | undefined {
  const evidence = view.verification.judgement.sequential;
  if (evidence === undefined) return undefined;
  const margin = statistic(view, "equivalence.margin");
  const range =
    evidence.interval === null
      ? phrase`There are too few seeds for an interval of the mean difference that does`
      : phrase`The interval that does goes from ${computed(view, "sequential.interval[0]", "signed")} to ${computed(view, "sequential.interval[1]", "signed")}`;
  return [
    phrase`Seeds were added under a declared plan, and the run ended: ${endings[evidence.stopped]}. Intervals and p for a fixed number of seeds do not account for the looks at the evidence. ${range}; within ±${margin} the difference would not matter. Whenever one stops, evidence as strong comes about by chance with probability ${computed(view, "sequential.p_value")} at most.`,
  ];
}

/** Of several comparisons made together: what p becomes when they are counted. */
function familyOf(view: ReportView): Phrase[] {
  const { bench } = view;
  if (bench.bench_version === 1 || bench.family.members.length === 1) return [];
  const { members, own } = bench.family;
  const adjusted = reported(view, `family.members[${own}].holm`);
  return [
    phrase`It is one of ${String(members.length)} comparisons made together; counting that any of them could have looked so by chance, the probability is ${adjusted} (Holm), and that one decides.`,
  ];
}

/** What can be seen with these seeds; of seeds that were added under a plan their number does not say it. */
function powerOf(view: ReportView): Phrase[] {
  if (view.verification.judgement.sequential) return [];
  const detectable = statistic(view, "mde_80.rel_pct", "percent");
  if (!Number.isFinite(detectable.value))
    return [phrase`How small a difference these seeds can show cannot be estimated.`];
  return [
    phrase`With these seeds a true difference of ${detectable} of the baseline is found four times in five; a smaller one may well be missed.`,
  ];
}

function mechanismOf(view: ReportView): Phrase {
  const { bench } = view;
  const confirmed = bench.mechanism_signature.confirmed ? "confirmed" : "not confirmed";
  if (bench.bench_version === 1) {
    return phrase`The report calls the mechanism ${confirmed}; it names no negative control.`;
  }
  const stands = bench.mechanism.filter((model) => model.confirmed).length;
  const passed = bench.math_checks.filter((check) => check.passed).length;
  return phrase`The mechanism is ${confirmed}: claims and controls are as they must be on ${String(stands)} of ${String(bench.mechanism.length)} trained models, and ${String(passed)} of ${String(bench.math_checks.length)} identities hold.`;
}

/** The caps, and how many seeds would settle an open question. */
function restraintsOf(view: ReportView): Phrase[] {
  const { strict } = view.verification.verdicts;
  const caps =
    strict.caps.length === 0
      ? []
      : [
          phrase`What holds the verdict back, whatever the numbers are: ${joined(
            strict.caps.map(({ text }) => [text]),
            "; ",
          )}.`,
        ];
  const settles = strict.needed_seeds !== undefined && view.verification.informative !== false;
  if (!settles) return caps;
  const lifted = caps.length > 0 ? "With that lifted it" : "It";
  const pairs = computed(view, "verdicts.strict.needed_seeds");
  return [
    ...caps,
    phrase`${lifted} would take ${pairs} seed pairs to see a difference that matters four times in five.`,
  ];
}
