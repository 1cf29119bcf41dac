import { signEProcess } from "./e-process.js";
import type { Interval } from "./interval.js";
import { checkProbability, checkSample, type Sample } from "./sample.js";

/** Shifts beyond the largest difference that are tried, in units of the spread of the differences: from far away to close by. */
const FAR = 1e6;
const NEAR = 1e-6;
const RATIO = 1.1;

/** Shifts between the smallest and the largest difference that are tried. */
const BETWEEN = 200;

const BISECTIONS = 60;

/**
 * The inverted e-process of signs: the smallest interval with every shift θ for which the evidence of {@link signEProcess} on
 * d₁ − θ, d₂ − θ, … stayed below 1/alpha at each look. For the true centre of symmetry the evidence ever reaches 1/alpha with
 * probability at most alpha (Ville's inequality), so that the interval covers it with probability at least 1 − alpha whenever one
 * stops, and whatever one stops for: a confidence sequence, and the intervals of several looks hold together. It is wider than an
 * interval for a number of pairs that was fixed before.
 *
 * The ends are searched from far outside to the first shift that is not refuted, on a grid that grows by a tenth a step, and then
 * bisected; of the last two shifts the refuted one is given. `undefined` where shifts of any size stay possible, as for fewer than seven pairs
 * at 0.05, and where none does.
 *
 * Source: Howard, Ramdas, McAuliffe, Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics
 * 49 (2021), section 1; the evidence as in {@link signEProcess}.
 *
 * @param looks the numbers of pairs after which the evidence is looked at; after every pair when absent
 * @throws E_VALUE for a difference that is not finite, or an alpha outside (0, 1)
 */
export function signEProcessInterval(
  diffs: Sample,
  alpha = 0.05,
  looks?: readonly number[],
): Interval | undefined {
  checkSample(diffs, "the e-process interval", 0);
  checkProbability(alpha, "alpha");
  let largest = 0;
  for (let pair = 0; pair < diffs.length; pair++) largest = Math.max(largest, Math.abs(diffs[pair]));
  // A power of two: nothing is rounded by it.
  const scale = largest === 0 ? 1 : 2 ** Math.max(-1000, Math.floor(Math.log2(largest)));
  const scaled = Float64Array.from(diffs, (value) => value / scale);
  const at = looks ?? Array.from(diffs, (_, pair) => pair + 1);
  const upper = upperEnd(scaled, 1 / alpha, at);
  const lower = upperEnd(
    scaled.map((value) => -value),
    1 / alpha,
    at,
  );
  return upper === undefined || lower === undefined ? undefined : [0 - lower * scale, upper * scale];
}

/** A refuted shift next to the largest one that is not; undefined where shifts of any size are possible, or none is. */
function upperEnd(diffs: Float64Array, threshold: number, looks: readonly number[]): number | undefined {
  const possible = (shift: number): boolean => {
    const evidence = signEProcess(diffs.map((value) => value - shift));
    return looks.every((pairs) => !(evidence[pairs - 1] >= threshold));
  };
  const [low, high] = [Math.min(...diffs), Math.max(...diffs)];
  // Of equal differences every other shift has the same evidence against it.
  if (low === high) return possible(high + (Math.abs(high) || 1)) ? undefined : high;
  let refuted: number | undefined;
  for (const shift of shiftsOf(diffs, low, high)) {
    if (!possible(shift)) refuted = shift;
    else return refuted === undefined ? undefined : bisected(shift, refuted, possible);
  }
  return undefined;
}

/** Shifts from far above all differences down to the smallest of them, and the differences themselves among them. */
function shiftsOf(diffs: Float64Array, low: number, high: number): number[] {
  const spread = high - low;
  const shifts = [...diffs];
  for (let far = FAR; far > NEAR; far /= RATIO) shifts.push(high + far * spread);
  for (let part = 0; part < BETWEEN; part++) shifts.push(high - (part / BETWEEN) * (high - low));
  return shifts.sort((a, b) => b - a);
}

function bisected(from: number, to: number, possible: (shift: number) => boolean): number {
  let [inside, outside] = [from, to];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = inside + (outside - inside) / 2;
    if (possible(middle)) inside = middle;
    else outside = middle;
  }
  return outside;
}
