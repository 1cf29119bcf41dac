import type { Config } from "../record.js";

/** What a sweep tries. */
export interface SweepGrid {
  /** Learning rates, for every arm. */
  readonly rates: readonly number[];
  /** Values of the idea's own options, for the arms with a change; none when it is empty. */
  readonly options: Readonly<Record<string, readonly number[]>>;
}

/** The configurations that each kind of arm tries, in the order in which they are tried: equally many for both. */
export interface SweepConfigs {
  readonly baseline: readonly Config[];
  /** Of the idea and its controls. */
  readonly changed: readonly Config[];
}

/**
 * The configurations of a sweep. An arm with a change tries every rate with every combination of its options, the last
 * option varying fastest. The baseline tries every rate, and where the other arms span options so many rates between
 * them that it tries as many configurations: each further rate halves the widest gap on a logarithmic scale, the lowest
 * of equal ones, and is rounded to two digits.
 */
export function sweepConfigs(grid: SweepGrid): SweepConfigs {
  return widenedConfigs({ baseline: [], changed: [] }, grid);
}

/** A sweep with further rates: what was tried before comes first, unchanged. */
export function widenedConfigs(before: SweepConfigs, { rates, options }: SweepGrid): SweepConfigs {
  const others = combinations(options);
  const changed = [...before.changed, ...rates.flatMap((lr) => others.map((values) => ({ lr, ...values })))];
  const tried = before.baseline.map(({ lr }) => lr);
  const added = matchedRates([...tried, ...rates], changed.length).slice(tried.length);
  return { baseline: [...before.baseline, ...added.map((lr) => ({ lr }))], changed };
}

function combinations(options: SweepGrid["options"]): readonly Readonly<Record<string, number>>[] {
  return Object.entries(options).reduce<readonly Readonly<Record<string, number>>[]>(
    (found, [name, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}

function matchedRates(rates: readonly number[], count: number): readonly number[] {
  const tried = [...rates];
  while (tried.length < count) {
    const sorted = [...tried].sort((a, b) => a - b);
    const gaps = sorted
      .slice(1)
      .map((high, at) => ({ ratio: high / sorted[at], middle: geometricMean(sorted[at], high) }))
      .filter(({ middle }) => !tried.includes(middle));
    if (gaps.length === 0) break;
    tried.push(gaps.reduce((widest, gap) => (gap.ratio > widest.ratio ? gap : widest)).middle);
  }
  return tried;
}

const geometricMean = (low: number, high: number): number => Number(Math.sqrt(low * high).toPrecision(2));
