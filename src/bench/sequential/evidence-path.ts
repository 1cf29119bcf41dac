import { signEProcess, signEProcessInterval, type Interval } from "../../stats/index.js";
import { looksOf, type SequentialPlan } from "./sequential-plan.js";

/** The evidence after so many pairs. */
export interface Look {
  readonly pairs: number;
  readonly evidence: number;
}

/** What a sequential run saw, and why it ended. */
export interface EvidencePath {
  readonly looks: readonly Look[];
  /** E ≥ this ends the run. */
  readonly threshold: number;
  /**
   * `evidence`: E reached the threshold. `most`: the declared number of seeds was reached. `diverged`: a difference is not
   * finite. `open`: the plan asks for more seeds. `not as declared`: there are seeds that the plan did not ask for.
   */
  readonly stopped: "evidence" | "most" | "diverged" | "open" | "not as declared";
  /** min(1, 1/E) for the largest E seen: valid whenever one stops. NaN when a difference is not finite. */
  readonly p_value: number;
  /**
   * The 1 − alpha interval of the mean difference that holds at every look together: the shifts that the evidence of no look
   * refutes. null where there is none, as for fewer than seven pairs at 0.05, and without a value for each difference.
   */
  readonly interval: Interval | null;
}

/**
 * The path of the anytime-valid evidence E against "each difference is as likely to have the other sign", at the looks of
 * a declared plan, as far as there are differences.
 */
export function evidencePath(diffs: readonly number[], plan: SequentialPlan, alpha: number): EvidencePath {
  const threshold = 1 / alpha;
  if (!diffs.every(Number.isFinite))
    return { looks: [], threshold, stopped: "diverged", p_value: NaN, interval: null };
  const evidence = signEProcess(diffs);
  const looks = looksOf(plan, diffs.length).map((pairs) => ({ pairs, evidence: evidence[pairs - 1] }));
  const reached = looks.findIndex((look) => look.evidence >= threshold);
  const largest = Math.max(0, ...looks.map((look) => look.evidence));
  return {
    looks,
    threshold,
    stopped: stoppedBy(diffs.length, plan, looks, reached),
    p_value: Math.min(1, 1 / largest),
    interval:
      signEProcessInterval(
        diffs,
        alpha,
        looks.map(({ pairs }) => pairs),
      ) ?? null,
  };
}

function stoppedBy(
  pairs: number,
  { most }: SequentialPlan,
  looks: readonly Look[],
  reached: number,
): EvidencePath["stopped"] {
  if (looks.at(-1)?.pairs !== pairs) return "not as declared";
  if (reached >= 0) return reached === looks.length - 1 ? "evidence" : "not as declared";
  return pairs === most ? "most" : "open";
}
