import type { FurtherMetric } from "../../tracks/index.js";
import type { BenchReportV2, FurtherMetricFigures } from "../document-v2.js";
import { armFigures } from "./arm-figures.js";
import { finalCells } from "./cost.js";
import { pairFigures } from "./pair-figures.js";
import type { Recomputation } from "./recomputation.js";

/** A figure beside the metric from its values in the final cells of both arms, seed by seed; NaN where one has none. */
export function furtherMetricFigures(
  metric: FurtherMetric,
  bench: BenchReportV2,
  costly: Recomputation,
): FurtherMetricFigures {
  const { name, unit, direction, description } = metric;
  const cells = finalCells(bench);
  const valuesOf = (arm: "baseline" | "idea"): number[] =>
    bench.protocol.seeds.map(
      (seed) => cells.find((cell) => cell.arm === arm && cell.seed === seed)?.further?.[name] ?? NaN,
    );
  const [baseline, idea] = [valuesOf("baseline"), valuesOf("idea")];
  return {
    name,
    unit,
    direction: direction === "lower" ? "lower is better" : "higher is better",
    description,
    baseline: armFigures(baseline),
    idea: armFigures(idea),
    comparison: {
      ...furtherComparison(baseline, idea, direction),
      p_value: furtherP(bench, baseline, idea, direction, costly),
    },
  };
}

/** What the values of both arms say of their pairs, but for p. */
export function furtherComparison(
  baseline: readonly number[],
  idea: readonly number[],
  direction: "lower" | "higher",
): Omit<FurtherMetricFigures["comparison"], "p_value"> {
  const { delta_mean, idea_wins, per_seed_diffs } = pairFigures(baseline, idea, direction);
  return { delta_mean, idea_wins, per_seed_diffs };
}

/** The two-sided sign-flip p of the pairs; NaN where they cannot be compared. */
export function furtherP(
  bench: BenchReportV2,
  baseline: readonly number[],
  idea: readonly number[],
  direction: "lower" | "higher",
  costly: Recomputation,
): number {
  return costly.statistics(baseline, idea, bench.protocol.alpha, direction).sign_flip.p_value;
}
