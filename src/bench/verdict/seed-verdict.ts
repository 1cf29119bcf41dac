/** What the rules of the profile `seed-v1` look at. */
export interface SeedEvidence {
  /** A smoke run of the preset quick, which gives no verdict. */
  readonly quick: boolean;
  /** A report that was made before its run had ended, which gives none either. */
  readonly partial?: boolean;
  /** A run with cells that did not end, which gives none until they have. */
  readonly unfinished?: boolean;
  /** The reports' sign-flip p-value. */
  readonly pValue: number;
  /** Mean gain of the idea over the baseline: positive is better, whatever the metric's direction. */
  readonly improvement: number;
  /** The reports' `mde` in percent of the baseline's mean. */
  readonly mdeRelPct: number;
  readonly mechanismConfirmed: boolean;
  /** undefined in a report that says nothing of it. */
  readonly mathPassed: boolean | undefined;
}

/** The verdict fields of the reports, with the rule that gave them. Keys are those of the report. */
export interface SeedVerdict {
  readonly profile: "seed-v1";
  readonly worked: boolean;
  /** `comparison.verdict` of the report. */
  readonly comparison_verdict: "significant win" | "no significant win";
  /** `inconclusive` for a smoke run, a partial report and a run with cells that did not end alone. */
  readonly system_verdict: "worked" | "partial" | "failed" | "inconclusive";
  readonly practical_verdict: "worked" | "harmful" | "no_effect" | "inconclusive";
  readonly mechanism_ok: 0 | 1;
  readonly rule: string;
  readonly reasons: readonly string[];
}

/**
 * The significance level and the largest half-width, in percent of the baseline, that still counts as "no
 * effect".
 */
export const seedProfile = { alpha: 0.05, theta: 20 } as const;

/**
 * The reports' own verdict. With α = 0.05, θ = 20 % and the mechanism confirmed only when the mathematics
 * passed too: a significant gain worked, a significant loss is harmful, and otherwise the idea had no effect
 * when the half-width of the difference is at most θ of the baseline, else the run is inconclusive. The
 * system worked with a confirmed mechanism and a significant gain, is partial with one of the two, and failed
 * with neither. A smoke run, a partial report and a run with cells that did not end are inconclusive whatever their numbers are.
 */
export function seedVerdict(evidence: SeedEvidence): SeedVerdict {
  const { alpha, theta } = seedProfile;
  const significant = evidence.pValue < alpha;
  const confirmed = evidence.mechanismConfirmed && evidence.mathPassed !== false;
  const why = withoutVerdict(evidence);
  if (why !== undefined) return noVerdict(confirmed, why);
  const worked = significant && evidence.improvement > 0;
  const narrow = evidence.mdeRelPct <= theta;
  const practical = worked ? "worked" : significant ? "harmful" : narrow ? "no_effect" : "inconclusive";
  return {
    profile: "seed-v1",
    worked,
    comparison_verdict: worked ? "significant win" : "no significant win",
    system_verdict: worked && confirmed ? "worked" : worked || confirmed ? "partial" : "failed",
    practical_verdict: practical,
    mechanism_ok: confirmed ? 1 : 0,
    rule: [
      worked ? "significant gain" : significant ? "significant loss" : "not significant",
      ...(significant ? [] : [narrow ? `mde_rel_pct at most ${theta}` : `mde_rel_pct not within ${theta}`]),
      confirmed ? "mechanism confirmed" : "mechanism not confirmed",
    ].join(", "),
    reasons: reasonsOf(evidence, significant),
  };
}

/** Why no verdict is given, with the rule. */
interface NoVerdict {
  readonly rule: string;
  readonly reason: string;
}

function withoutVerdict({ quick, partial, unfinished }: SeedEvidence): NoVerdict | undefined {
  if (quick) {
    return {
      rule: "a smoke run gives no verdict",
      reason: "a smoke run of the preset quick is too small to judge anything by",
    };
  }
  if (partial) {
    return {
      rule: "a partial report gives no verdict",
      reason: "not all planned seeds are there, and a look before the end of a run is no test",
    };
  }
  if (unfinished) {
    return {
      rule: "a run with cells that did not end gives no verdict",
      reason: "some cells have no result, and no seed is left out for it",
    };
  }
  return undefined;
}

function noVerdict(confirmed: boolean, { rule, reason }: NoVerdict): SeedVerdict {
  return {
    profile: "seed-v1",
    worked: false,
    comparison_verdict: "no significant win",
    system_verdict: "inconclusive",
    practical_verdict: "inconclusive",
    mechanism_ok: confirmed ? 1 : 0,
    rule,
    reasons: [reason],
  };
}

function reasonsOf(evidence: SeedEvidence, significant: boolean): string[] {
  const { alpha, theta } = seedProfile;
  const reasons = [`p = ${evidence.pValue} is ${significant ? "below" : "not below"} ${alpha}`];
  if (significant) {
    reasons.push(`the idea is ${evidence.improvement > 0 ? "better" : "worse"} on average`);
  } else {
    reasons.push(
      `the half-width of the difference is ${Number(evidence.mdeRelPct.toPrecision(6))} % of the baseline (limit ${theta} %)`,
    );
  }
  reasons.push(
    evidence.mathPassed === undefined
      ? "the mathematical check was not reported"
      : `the mathematical check ${evidence.mathPassed ? "passed" : "failed"}`,
    evidence.mechanismConfirmed ? "the mechanism was confirmed" : "the mechanism was not confirmed",
  );
  return reasons;
}
