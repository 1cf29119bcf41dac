/** How many cases a property takes when it names no number of its own. */
export const normalRuns = 60;

/**
 * The factor on every number of cases: 1 unless `FAST_CHECK_RUNS=n` asks for n where a property takes 60.
 * `npm run test:deep` asks for twenty times as many.
 */
export const depth = Number(process.env.FAST_CHECK_RUNS ?? normalRuns) / normalRuns;

/** The number of cases for a property that takes `count` of them in a normal run. */
export function runs(count: number): number {
  return Math.ceil(count * depth);
}
