import type { RunRecord } from "../record.js";
import { buildReport } from "./build.js";
import type { ReportV2 } from "./document-v2.js";
import { recomputation, type Recomputation } from "./figures/recomputation.js";

/** What a comparison of a family compares. */
export interface FamilyPlan {
  readonly idea: string;
  readonly track: string;
  readonly model: string;
}

/**
 * The report of one run of a family, whose other runs have finished or not (`undefined`). The p of each finished one stands
 * in the report, so that it can be verified by itself; one that has not finished counts as p = 1, the most careful value.
 */
export function buildFamilyReport(
  plans: readonly FamilyPlan[],
  runs: readonly (RunRecord | undefined)[],
  own: number,
  costly: Recomputation = recomputation(),
): ReportV2 {
  const members = plans.map(({ idea, track, model }, at) => {
    const run = runs[at];
    return { idea, track, model, pValue: run === undefined ? null : pOf(run, costly) };
  });
  return buildReport({ ...runs[own]!, family: { own, members } }, costly);
}

function pOf({ baseline, ideaArm, protocol, direction }: RunRecord, costly: Recomputation): number {
  return costly.statistics(baseline.values, ideaArm.values, protocol.alpha, direction).sign_flip.p_value;
}
