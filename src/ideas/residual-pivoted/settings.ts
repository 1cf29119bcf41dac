import { fail } from "../../errors/index.js";
import { oneOf } from "../one-of.js";

/** The laws by which a pivot may be chosen; `exp` is the idea, the others are its controls. */
export const pivotLaws = ["exp", "gaussian", "uniform", "greedy"] as const;

/** One of {@link pivotLaws}. */
export type PivotLaw = (typeof pivotLaws)[number];

/**
 * How pivots are drawn, by the same law: `plain`, one at a time; `accelerated`, many at a time with rejection. A greedy choice
 * draws nothing.
 */
export const samplers = ["plain", "accelerated"] as const;

/** One of {@link samplers}. */
export type Sampler = (typeof samplers)[number];

/** Completes and checks the sampler of some options. E_VALUE for one that is none. */
export function completeSampler(given: { readonly sampler?: unknown }): { readonly sampler: Sampler } {
  return { sampler: oneOf("residual-pivoted", "sampler", given.sampler ?? "plain", samplers) };
}

/** What shapes the approximation of one attention. */
export interface Settings {
  /** The number of pivots, at least 1; a problem with fewer distinct points stops earlier. */
  readonly rank: number;
  readonly pivots: PivotLaw;
  /** Added to the unit diagonal of the pivots' Gaussian kernel matrix before it is inverted; 0 for none. */
  readonly ridge: number;
}

/** The settings that hold where nothing is said. */
export const defaultSettings: Settings = { rank: 4, pivots: "exp", ridge: 0 };

/** The unit roundoff: 2⁻²⁴ in float32, 2⁻⁵³ in float64. */
export function unitRoundoff(single: boolean): number {
  return single ? 2 ** -24 : 2 ** -53;
}

/**
 * What counts as rounding dust of 1 after `rank` eliminations: c·u with c = max(8, rank), since in the worst case each
 * elimination rounds once more. Above rank 8 it grows with the rank asked for, whatever rank is reached; the tests go
 * up to rank 150.
 *
 * The layer compares each row with its own diagonal: a row at or below this is never a pivot, and nothing is left when
 * no row is above it, so exhausted ranks (identical or padded tokens) stop instead of dividing dust by dust. It does
 * not stop at Σd ≤ c·u·tr K, because every output is normalised by its own row: beside one query of large norm all
 * other rows are dust of tr K, and their attention would be lost though their Gaussian kernel is not approximated at
 * all. The trace identity, which is about tr K, does stop there (`negligibleTrace`).
 */
export function dustTolerance(rank: number, single: boolean): number {
  return Math.max(8, rank) * unitRoundoff(single);
}

/**
 * How far a normaliser may fall below its certified bound, relatively, or an output leave the range of the values, of
 * the width of that range, and still count as rounding: √u.
 */
export function roundingSlack(single: boolean): number {
  return single ? 2 ** -12 : 2 ** -26;
}

/**
 * What an output may further leave the range of the values by, of the largest magnitude in it: 64u. An offset of the
 * values costs that much of every digit, and no more, so it must not widen the range itself.
 */
export function offsetSlack(single: boolean): number {
  return 64 * unitRoundoff(single);
}

/**
 * Completes and checks settings. E_VALUE when the rank is no positive integer, the law is unknown, or the ridge is
 * negative or not finite.
 */
export function completeSettings(given: {
  readonly rank?: unknown;
  readonly pivots?: unknown;
  readonly ridge?: unknown;
}): Settings {
  const { rank = defaultSettings.rank, ridge = defaultSettings.ridge } = given;
  if (typeof rank !== "number" || !Number.isInteger(rank) || rank < 1) {
    fail("E_VALUE", `residual-pivoted: rank must be an integer of at least 1, not ${String(rank)}`);
  }
  if (typeof ridge !== "number" || !(ridge >= 0) || ridge === Infinity) {
    fail("E_VALUE", `residual-pivoted: ridge must be a finite number of at least 0, not ${String(ridge)}`);
  }
  return {
    rank,
    ridge,
    pivots: oneOf("residual-pivoted", "pivots", given.pivots ?? defaultSettings.pivots, pivotLaws),
  };
}
