/** A closed interval `[low, high]`. */
export type Interval = readonly [low: number, high: number];
