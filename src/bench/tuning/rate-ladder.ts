/** The significant digits of the rates on the ladder. */
const rungs = [1, 3] as const;

/** The next rate lies at least so many times farther out. */
const LEAST_STEP = 1.5;

/**
 * The rate that a grid is extended by at an end: the next one of the ladder …, 0.001, 0.003, 0.01, 0.03, 0.1, … (1 and 3
 * times a power of ten) that lies at least 1.5 times beyond the rate at that end.
 *
 * @param rate the lowest or the highest rate of the grid, positive
 */
export function nextRate(rate: number, end: "lowest" | "highest"): number {
  const decade = Math.floor(Math.log10(rate));
  const ladder = [-2, -1, 0, 1, 2].flatMap((step) =>
    rungs.map((digit) => Number(`${digit}e${decade + step}`)),
  );
  return end === "highest"
    ? ladder.find((rung) => rung >= rate * LEAST_STEP)!
    : ladder.findLast((rung) => rung * LEAST_STEP <= rate)!;
}
