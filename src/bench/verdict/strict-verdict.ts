import type { Cap } from "./caps.js";
import { signFlipName } from "./sign-flip-name.js";

/** What the rules of the strict profile look at. Differences are idea − baseline in the metric's unit. */
export interface StrictEvidence {
  readonly alpha: number;
  /** δ: the largest difference that does not matter, set before the run (5 % of the baseline's mean). */
  readonly margin: number;
  readonly marginPct: number;
  /** Two-sided sign-flip p of this comparison alone; under a sequential plan that of its e-process. */
  readonly pValue: number;
  /** Of several comparisons made together their number, and this one's p adjusted for them by Holm: that decides then. */
  readonly family?: { readonly size: number; readonly pValue: number };
  /** Whether {@link pValue} counts every sign pattern or drawn ones, or comes from an e-process. */
  readonly method: "exact" | "monte-carlo" | "e-process";
  /** Mean gain of the idea: positive is better, whatever the metric's direction. */
  readonly improvement: number;
  /** Inverted sign-flip interval of the mean difference, under a sequential plan that of its e-process; `undefined` when n is too small to have one. */
  readonly interval: readonly [number, number] | undefined;
  /** p of the equivalence test (TOST) within ±δ. */
  readonly tostP: number;
  readonly seeds: number;
  /** Pairs needed to see a difference of δ with 80 % power; `undefined` when it cannot be estimated. */
  readonly neededSeeds: number | undefined;
  /** Final seeds whose metric is not finite. */
  readonly diverged: { readonly baseline: number; readonly idea: number };
  /** Final seeds without a value, since their cells did not end; none when absent. */
  readonly withoutValue?: { readonly baseline: number; readonly idea: number };
  readonly caps: readonly Cap[];
  /** What a reader should know of the run's conduct that holds no verdict back. */
  readonly notes?: readonly string[];
  readonly mathPassed: boolean;
  readonly claimHeld: boolean;
  readonly control: "refuted" | "not refuted" | "not reported";
}

/** The strict verdict, with the rule that gave it. Keys are those of the report. */
export interface StrictVerdict {
  readonly profile: "strict";
  readonly verdict: "inconclusive" | "trivial" | "worked" | "harmful" | "no_effect";
  /** `worked` only where the improvement and the mechanism both stand. */
  readonly system_verdict: "worked" | "partial" | "failed" | "inconclusive";
  readonly mechanism_stands: boolean;
  readonly caps: readonly Cap[];
  /**
   * With an inconclusive verdict: the number of paired seeds that would settle it, where it can be estimated.
   * A quick run is too small to estimate anything.
   */
  readonly needed_seeds?: number;
  readonly rule: string;
  readonly reasons: readonly string[];
}

/**
 * The strict verdict, first match, with p adjusted within the family: capped or diverged → inconclusive; significant with the interval inside ±δ
 * → trivial; significant gain → worked; significant loss → harmful; equivalent within ±δ → no_effect; else
 * inconclusive. A cap that can only have hindered the verdict that would be given without caps is none. The mechanism stands when the mathematics passed, the claim held on the trained model and its
 * negative control was refuted.
 */
export function strictVerdict(given: StrictEvidence): StrictVerdict {
  const evidence = withCapsThatBear(given);
  const [verdict, rule] = firstMatch(evidence);
  const stands = evidence.mathPassed && evidence.claimHeld && evidence.control === "refuted";
  const quick = evidence.caps.some(({ code }) => code === "quick");
  const settles = verdict === "inconclusive" && !quick && evidence.neededSeeds !== undefined;
  return {
    profile: "strict",
    verdict,
    system_verdict: systemVerdict(verdict, stands),
    mechanism_stands: stands,
    caps: evidence.caps,
    ...(settles ? { needed_seeds: evidence.neededSeeds } : {}),
    rule,
    reasons: reasonsOf(evidence, settles),
  };
}

/** The evidence with those of its caps that may have caused the verdict; the others become notes. */
function withCapsThatBear(evidence: StrictEvidence): StrictEvidence {
  const [uncapped] = firstMatch({ ...evidence, caps: [] });
  const bears = ({ spares }: Cap): boolean => spares === undefined || spares !== uncapped;
  const spared = evidence.caps.filter((cap) => !bears(cap));
  return {
    ...evidence,
    caps: evidence.caps.filter(bears).map(({ code, text }) => ({ code, text })),
    notes: [
      ...spared.map(({ text }) => `${text}; that can only have hindered the verdict, and caps nothing`),
      ...(evidence.notes ?? []),
    ],
  };
}

function firstMatch(evidence: StrictEvidence): [StrictVerdict["verdict"], string] {
  const { alpha, interval, margin } = evidence;
  if (evidence.diverged.baseline + evidence.diverged.idea > 0) return ["inconclusive", "diverged"];
  if (evidence.caps.length > 0) return ["inconclusive", "capped"];
  if (decidingP(evidence) < alpha) {
    if (interval && interval[0] > -margin && interval[1] < margin) {
      return ["trivial", "significant, and the interval lies inside the margin"];
    }
    return evidence.improvement > 0 ? ["worked", "significant gain"] : ["harmful", "significant loss"];
  }
  if (evidence.tostP < alpha) return ["no_effect", "equivalent within the margin"];
  return ["inconclusive", "neither a difference nor equivalence is shown"];
}

function systemVerdict(verdict: StrictVerdict["verdict"], stands: boolean): StrictVerdict["system_verdict"] {
  if (verdict === "inconclusive") return "inconclusive";
  if (verdict === "worked" && stands) return "worked";
  return verdict === "worked" || stands ? "partial" : "failed";
}

function reasonsOf(evidence: StrictEvidence, settles: boolean): string[] {
  const { diverged, withoutValue, interval } = evidence;
  const reasons = [...evidence.caps.map(({ text }) => text), ...(evidence.notes ?? [])];
  if (diverged.baseline + diverged.idea > 0) {
    reasons.push(
      `final seeds diverged, of ${evidence.seeds} each: ${diverged.baseline} of the baseline, ` +
        `${diverged.idea} of the idea`,
    );
  } else if (withoutValue !== undefined && withoutValue.baseline + withoutValue.idea > 0) {
    reasons.push(
      `final seeds without a value, of ${evidence.seeds} each: ${withoutValue.baseline} of the baseline, ` +
        `${withoutValue.idea} of the idea`,
    );
  } else {
    reasons.push(
      significanceOf(evidence),
      interval
        ? `the difference lies between ${figure(interval[0])} and ${figure(interval[1])}${evidence.method === "e-process" ? ", whatever the number of looks" : ""}; ` +
            `the margin is ±${figure(evidence.margin)} (${evidence.marginPct} % of the baseline)`
        : `${evidence.seeds} pairs are too few for an interval`,
      `equivalence within the margin: p = ${figure(evidence.tostP)}`,
    );
  }
  if (!evidence.mathPassed) reasons.push("the mathematical check failed");
  reasons.push(
    evidence.claimHeld ? "the claim about the mechanism held" : "the claim about the mechanism did not hold",
    `the negative control was ${evidence.control}`,
  );
  if (settles) {
    reasons.push(
      `${evidence.neededSeeds} paired seeds would show a difference of ${evidence.marginPct} % with 80 % power`,
    );
  }
  return reasons;
}

const decidingP = ({ pValue, family }: StrictEvidence): number => family?.pValue ?? pValue;

function significanceOf(evidence: StrictEvidence): string {
  const { method, pValue, family, alpha } = evidence;
  const adjusted = family
    ? `, adjusted by Holm in a family of ${family.size} comparisons: ${figure(family.pValue)}, which`
    : "";
  const relation = decidingP(evidence) < alpha ? "below" : "not below";
  return `${signFlipName(method)} p = ${figure(pValue)}${adjusted} is ${relation} ${alpha}`;
}

function figure(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
}
