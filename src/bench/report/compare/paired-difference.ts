import type { BenchReport, Statistics } from "../document-v2.js";
import type { Recomputation } from "../figures/recomputation.js";
import { directionOf } from "../judge.js";
import { seedNames } from "../present/seed-names.js";

/** The final seeds of two runs. */
export interface SharedSeeds {
  readonly shared: readonly string[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
}

/** One arm of two runs on the seeds that they share; differences are B − A. */
export interface PairedDifference {
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly differences: readonly number[];
  readonly mean: number;
  /** Seeds on which B is strictly better. */
  readonly wins: number;
  /** Every shared seed has the same bits. */
  readonly identical: boolean;
  readonly statistics: Statistics;
}

/** Which final seeds two runs share, in the order of the first. */
export function sharedSeeds(a: BenchReport, b: BenchReport): SharedSeeds {
  const [ofA, ofB] = [seedNames(a), seedNames(b)];
  return {
    shared: ofA.filter((seed) => ofB.includes(seed)),
    onlyA: ofA.filter((seed) => !ofB.includes(seed)),
    onlyB: ofB.filter((seed) => !ofA.includes(seed)),
  };
}

/** An arm of run B less that of run A on the given seeds, which both have, with the statistics of a paired comparison. */
export function pairedDifference(
  [a, b]: readonly [BenchReport, BenchReport],
  arm: "baseline" | "idea",
  seeds: readonly string[],
  alpha: number,
  costly: Recomputation,
): PairedDifference {
  const direction = directionOf(a);
  const [valuesA, valuesB] = [valuesOn(a, arm, seeds), valuesOn(b, arm, seeds)];
  const differences = valuesB.map((value, at) => value - valuesA[at]!);
  return {
    a: valuesA,
    b: valuesB,
    differences,
    mean: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
    wins: differences.filter((difference) => (direction === "lower" ? difference < 0 : difference > 0))
      .length,
    identical: valuesA.every((value, at) => Object.is(value, valuesB[at])),
    statistics: costly.statistics(valuesA, valuesB, alpha, direction),
  };
}

function valuesOn(bench: BenchReport, arm: "baseline" | "idea", seeds: readonly string[]): number[] {
  const values = arm === "baseline" ? bench.baseline.full.per_seed : bench.idea.per_seed;
  const names = seedNames(bench);
  return seeds.map((seed) => values[names.indexOf(seed)]!);
}
