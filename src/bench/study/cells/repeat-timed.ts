/** Times of one piece of work. */
export interface Timing {
  /** The median of the times after the first; the first where that was long. In seconds. */
  readonly seconds: number;
  /** The first time, before the machine code is optimised. */
  readonly first: number;
  /** How often it was done after the first time. */
  readonly repeats: number;
}

/** Settings of {@link repeatTimed}. */
interface RepeatSettings {
  /** Seconds that are enough for all repetitions together. */
  readonly enough?: number;
  readonly least?: number;
  readonly most?: number;
  /** Called after the first time. */
  readonly onFirst?: () => void;
}

/** A first time of so many times `enough` is as good as any other. */
const LONG = 10;

/**
 * Does something once, and then again until `enough` seconds are spent, at least `least` and at most `most` times. What takes
 * long the first time is not repeated.
 */
export function repeatTimed(
  work: () => void,
  { enough = 0.4, least = 3, most = 200, onFirst }: RepeatSettings = {},
): Timing {
  const timed = (): number => {
    const begin = performance.now();
    work();
    return (performance.now() - begin) / 1000;
  };
  const first = timed();
  onFirst?.();
  if (first > LONG * enough) return { seconds: first, first, repeats: 0 };
  const times: number[] = [];
  for (let spent = 0; times.length < least || (spent < enough && times.length < most); spent += times.at(-1)!)
    times.push(timed());
  times.sort((a, b) => a - b);
  return { seconds: times[Math.floor(times.length / 2)]!, first, repeats: times.length };
}
