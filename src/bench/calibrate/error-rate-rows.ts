import { binomialRange, populationStd, signFlipExact } from "../../stats/index.js";
import { metrics, type Bench } from "./arms.js";
import { alpha, falsePositiveRate, firstSeed, pairs, plantedShifts, small } from "./protocol.js";
import { short, type CalibrationRow } from "./row.js";

/**
 * How often the exact sign-flip test finds what is there and what is not. Each run has eight pairs of cells that differ in
 * nothing but their seed, two new seeds a pair and none in two runs, so that runs are independent and either sign of a
 * difference is as likely as the other. A planted shift is subtracted from every difference, dz times the standard
 * deviation of all of them. Its rows share the cells of the first: each row's runs are independent, the rows are not.
 */
export async function errorRateRows(bench: Bench, runs: number): Promise<CalibrationRow[]> {
  const trials = Array.from({ length: 2 * pairs * runs }, (_, at) => ({
    settings: small,
    seed: firstSeed.equalArms + at,
  }));
  const values = await metrics(bench, trials);
  const differences = Float64Array.from(
    { length: pairs * runs },
    (_, at) => values[2 * at + 1] - values[2 * at],
  );
  return ratesOf(differences);
}

/** The rows of differences, eight a run, that are as likely to have either sign. */
export function ratesOf(differences: Float64Array): CalibrationRow[] {
  const runs = differences.length / pairs;
  const spread = populationStd(differences);
  const found = (shift: number): number => {
    const shifted = differences.map((difference) => difference - shift);
    return Array.from({ length: runs }, (_, run) =>
      signFlipExact(shifted.subarray(run * pairs, (run + 1) * pairs)),
    ).filter(({ p }) => p < alpha).length;
  };
  const row = (name: string, count: number, rate: number, coverage: number): CalibrationRow => {
    const [low, high] = binomialRange(runs, rate, coverage);
    return {
      name,
      expected: `${low} to ${high} of ${runs} (${short(100 * rate)} %, ${100 * coverage} % binomial)`,
      found: `${count} of ${runs} (${short((100 * count) / runs)} %)`,
      passed: low <= count && count <= high,
      figures: { runs, significant: count, rate, low, high, spread },
    };
  };
  return [
    row("equal arms, other seeds: significant by chance", found(0), falsePositiveRate, 0.99),
    ...plantedShifts.map(({ dz, power }) =>
      row(`a planted shift of dz = ${dz}: found`, found(dz * spread), power, 0.999),
    ),
  ];
}
