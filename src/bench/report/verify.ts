import { checker } from "./checks/all-checks.js";
import type { Check, CheckKind, Clue } from "./checks/check.js";
import { benchOf, type Report } from "./document-v2.js";
import { recomputation, type Recomputation } from "./figures/recomputation.js";
import type { Judgement } from "./judge.js";
import { localiseFaults, type Fault } from "./localise-fault.js";
import { valueAt } from "./path.js";
import { trustedValues, type Trusted } from "./trusted.js";

/** What `bench verify` found out about a report. */
export interface Verification {
  readonly version: 1 | 2;
  /** No figure is at fault. */
  readonly holds: boolean;
  /** Every derivable figure, those at fault among them, the others with the faults put right. */
  readonly checks: readonly Check[];
  readonly faults: readonly Fault[];
  readonly trusted: readonly Trusted[];
  /** Both verdicts, from the report with its faults put right. */
  readonly verdicts: Judgement["verdicts"];
  /** Whether the tuned baseline beats every floor; `undefined` when the report has no floors. */
  readonly informative: boolean | undefined;
  /** What the verdicts rest on. */
  readonly judgement: Judgement;
  /** The report with every fault put right for which the right value is known. */
  readonly repaired: Report;
}

/**
 * Recomputes every derivable figure of a report that `parseReport` has read, names what does not hold, and derives
 * both verdicts anew. Figures may differ by 1e-12 relative and by the rounding of the values that they were taken
 * from, numbers in texts by half a unit in their last place. A report that does not hold is a result, not an error.
 * `costly` may be shared by verifications of like reports: it remembers the figures that take resampling.
 */
export function verifyReport(report: Report, costly: Recomputation = recomputation()): Verification {
  const own = checker(costly);
  const { faults: found, repaired } = localiseFaults(report, own);
  const clues = own.all(repaired);
  const judgement = own.judge(repaired);
  const faults = withoutJudged(report, found);
  return {
    version: benchOf(report).bench_version,
    holds: faults.length === 0,
    checks: shownChecks(clues, faults),
    faults,
    trusted: trustedValues(repaired, clues),
    verdicts: judgement.verdicts,
    informative: judgement.floors?.informative,
    judgement,
    repaired,
  };
}

/** A report that does not recompute is right not to call itself judged. */
function withoutJudged(report: Report, faults: readonly Fault[]): readonly Fault[] {
  const others = faults.filter(({ path }) => path !== "system_judged");
  return others.length > 0 && valueAt(report, "system_judged") === false ? others : faults;
}

/**
 * The checks of the repaired report, with each fault in the place of the check of the same path, or at the
 * end.
 */
function shownChecks(clues: readonly Clue[], faults: readonly Fault[]): Check[] {
  const left = new Map(faults.map((fault) => [fault.path, fault]));
  const shown = clues.map((clue): Check => {
    const check = plainCheck(clue);
    const fault = left.get(check.path);
    if (
      !fault ||
      (typeof fault.reported === "string" && typeof check.reported === "string" && !check.holds)
    ) {
      return check;
    }
    left.delete(check.path);
    return failed(fault, check.kind);
  });
  return [...shown, ...[...left.values()].map((fault) => failed(fault))];
}

function plainCheck({ kind, path, reported, recomputed, relativeError, holds, note }: Clue): Check {
  return { kind, path, reported, recomputed, relativeError, holds, ...(note === undefined ? {} : { note }) };
}

function failed({ path, reported, implied, why }: Fault, kind: CheckKind = "figure"): Check {
  const numbers = typeof reported === "number" && typeof implied === "number";
  return {
    kind,
    path,
    reported,
    recomputed: implied ?? null,
    relativeError: numbers ? Math.abs(reported - implied) / Math.abs(implied) : undefined,
    holds: false,
    note: why,
  };
}
