/** Times of one piece of work. */
export interface Timing {
  /** The median of the times after the first, or the first where there is no other, in seconds. */
  readonly seconds: number;
  /** The first time, before the machine code is optimised. */
  readonly first: number;
  /** How often it was done after the first time. */
  readonly repeats: number;
}

/** Does something again and again until `enough` seconds are spent on it, at least `least` and at most `most` times. */
export function repeatTimed(work: () => void, { enough = 0.4, least = 3, most = 200 } = {}): Timing {
  const timed = (): number => {
    const begin = performance.now();
    work();
    return (performance.now() - begin) / 1000;
  };
  const first = timed();
  const times: number[] = [];
  for (let spent = first; times.length < most && (spent < enough || times.length < least);) {
    // What takes so long is measured once, warm or not.
    if (first > 10 * enough && times.length === 1) break;
    times.push(timed());
    spent += times.at(-1)!;
  }
  const sorted = times.sort((a, b) => a - b);
  return { seconds: sorted[Math.floor(sorted.length / 2)] ?? first, first, repeats: times.length };
}
