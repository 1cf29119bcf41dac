import type { Json } from "../../ideas/index.js";

/** One question put to the bench whose answer is known. */
export interface CalibrationRow {
  readonly name: string;
  /** What must come out, set in advance. */
  readonly expected: string;
  readonly found: string;
  readonly passed: boolean;
  readonly figures: { readonly [name: string]: Json };
}

/** A figure for a table: four significant digits. */
export const short = (value: number): string => String(Number(value.toPrecision(4)));
