import { holm } from "../../../stats/index.js";
import type { BenchReportV2, CostRatios } from "../document-v2.js";
import type {
  ControlComparison,
  ControlFigures,
  ControlsSection,
  IdeaBesideControl,
} from "../document-controls.js";
import { costRatios } from "./cost.js";
import { pairFigures } from "./pair-figures.js";
import type { Recomputation } from "./recomputation.js";

/** What follows from the measured values of one control. */
export type ControlJudgement = Pick<ControlFigures, "versus_baseline" | "versus_idea" | "idea_is" | "cost">;

/** What follows from the measured values of all controls. */
export interface ControlsJudgement {
  readonly alpha: number;
  readonly arms: readonly ControlJudgement[];
  readonly finding: string;
}

/**
 * Each control beside the baseline and beside the idea: paired differences on the final seeds, the exact sign-flip test, its p
 * adjusted by Holm over the controls (one family for each of the two comparisons), and its interval. The idea is better
 * or worse than a control when the adjusted p is below alpha, else nothing is shown.
 */
export function controlFigures(
  bench: BenchReportV2,
  controls: Pick<ControlsSection, "arms">,
  costly: Recomputation,
): ControlsJudgement {
  const { alpha } = bench.protocol;
  const direction = bench.metric_direction === "lower is better" ? "lower" : "higher";
  const compared = (pairs: readonly (readonly [of: readonly number[], to: readonly number[]])[]) =>
    withAdjustment(
      pairs.map(([of, to]) => {
        const { delta_mean, idea_wins: wins, n_pairs } = pairFigures(to, of, direction);
        const { sign_flip: test, sign_flip_interval: interval } = costly.statistics(to, of, alpha, direction);
        return { delta_mean, wins, n_pairs, p_value: test.p_value, interval };
      }),
    );
  const versusBaseline = compared(
    controls.arms.map(({ per_seed }) => [per_seed, bench.baseline.full.per_seed]),
  );
  const versusIdea = compared(controls.arms.map(({ per_seed }) => [bench.idea.per_seed, per_seed]));
  const arms = controls.arms.map(({ name, sweep }, at) => ({
    versus_baseline: versusBaseline[at],
    versus_idea: versusIdea[at],
    idea_is: besides(versusIdea[at], alpha, direction),
    cost: controlCost(costRatios(bench, `control:${name}`), sweep.length > 0),
  }));
  const finding = findingOf(controls.arms.map(({ name }, at) => ({ name, is: arms[at].idea_is })));
  return { alpha, arms, finding };
}

/** A control that is not trained takes no steps, and its time is that of a scoring: neither compares with training. */
function controlCost(ratios: CostRatios, trained: boolean): CostRatios {
  return trained ? ratios : { ...ratios, steps: null, seconds: null };
}

/** A comparison that does not exist counts as a test of the family that shows nothing. */
function withAdjustment(comparisons: readonly Omit<ControlComparison, "p_adjusted">[]): ControlComparison[] {
  const adjusted = holm(comparisons.map(({ p_value: p }) => (Number.isNaN(p) ? 1 : p)));
  return comparisons.map(({ interval, ...one }, at) => ({
    ...one,
    p_adjusted: Number.isNaN(one.p_value) ? NaN : adjusted[at],
    interval,
  }));
}

function besides(
  { delta_mean: delta, p_adjusted: p }: ControlComparison,
  alpha: number,
  direction: "lower" | "higher",
): IdeaBesideControl {
  if (Number.isNaN(p)) return "not comparable";
  if (!(p < alpha) || delta === 0) return "not shown to differ";
  return delta < 0 === (direction === "lower") ? "better" : "worse";
}

/** What the idea is beside its controls: what it is not better than matters most, and comes first. */
function findingOf(controls: readonly { readonly name: string; readonly is: IdeaBesideControl }[]): string {
  const sentence = (is: IdeaBesideControl, words: string): string[] => {
    const names = controls.filter((control) => control.is === is).map(({ name }) => name);
    if (names.length === 0) return [];
    return [`The idea is ${words} its control${names.length > 1 ? "s" : ""} ${inWords(names)}.`];
  };
  return [
    ...sentence("worse", "worse than"),
    ...sentence("not shown to differ", "not shown to be better than"),
    ...sentence("better", "better than"),
    ...sentence("not comparable", "not comparable with"),
  ].join(" ");
}

function inWords(names: readonly string[]): string {
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
}
