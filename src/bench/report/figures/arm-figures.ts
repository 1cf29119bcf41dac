import { mean, populationStd } from "../../../stats/index.js";
import type { ArmFigures } from "../document.js";

/**
 * Mean, population standard deviation (ddof 0) and n of an arm. With a value that is not finite the mean is
 * the arithmetic's (infinite or NaN) and the deviation NaN: a diverged seed is never left out.
 */
export function armFigures(values: readonly number[]): ArmFigures {
  const finite = values.every(Number.isFinite);
  return {
    mean: finite ? mean(values) : values.reduce((sum, value) => sum + value, 0) / values.length,
    std: finite ? populationStd(values) : NaN,
    per_seed: values,
    n: values.length,
  };
}

/** Whether a metric is strictly better than another; a value that is not finite is worse than any that is. */
export function isBetter(value: number, other: number, direction: "lower" | "higher"): boolean {
  if (!Number.isFinite(value)) return false;
  if (!Number.isFinite(other)) return true;
  return direction === "lower" ? value < other : value > other;
}

/** How many seeds of an arm have no finite metric: they diverged, or their cells did not end. */
export function lostSeeds(values: readonly number[]): number {
  return values.filter((value) => !Number.isFinite(value)).length;
}
