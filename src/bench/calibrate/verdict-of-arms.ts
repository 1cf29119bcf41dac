import { mean } from "../../stats/index.js";
import { statisticsOf } from "../report/figures/statistics.js";
import { strictVerdict, type StrictVerdict } from "../verdict/index.js";
import { alpha } from "./protocol.js";

/**
 * What the strict profile says of two arms of a metric that is better when lower, when nothing caps it: whether an effect is
 * found is asked here, not whether the run was tuned or beats a floor. The mechanism is taken to stand.
 */
export function verdictOfArms(
  baseline: readonly number[],
  idea: readonly number[],
): {
  readonly verdict: StrictVerdict["verdict"];
  readonly pValue: number;
  readonly differences: readonly number[];
} {
  const {
    sign_flip,
    sign_flip_interval: interval,
    equivalence,
  } = statisticsOf(baseline, idea, alpha, "lower");
  const differences = idea.map((value, seed) => value - baseline[seed]);
  const diverged = (values: readonly number[]): number =>
    values.filter((value) => !Number.isFinite(value)).length;
  const lost = { baseline: diverged(baseline), idea: diverged(idea) };
  const { verdict } = strictVerdict({
    alpha,
    margin: equivalence.margin,
    marginPct: equivalence.margin_pct,
    pValue: sign_flip.p_value,
    method: sign_flip.method,
    improvement: lost.baseline + lost.idea > 0 ? NaN : -mean(differences),
    interval: interval ?? undefined,
    tostP: equivalence.p_value,
    seeds: baseline.length,
    neededSeeds: undefined,
    diverged: lost,
    caps: [],
    mathPassed: true,
    claimHeld: true,
    control: "refuted",
  });
  return { verdict, pValue: sign_flip.p_value, differences };
}
