import { fail } from "../../errors/index.js";

/** The laws by which a pivot may be chosen; `exp` is the idea, the others are its controls. */
export const pivotLaws = ["exp", "gaussian", "uniform", "greedy"] as const;

/** One of {@link pivotLaws}. */
export type PivotLaw = (typeof pivotLaws)[number];

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
 * The residual of a point with unit diagonal that counts as rounding dust: c·u with c = max(8, rank). A row at or
 * below it is never a pivot, so exhausted ranks (identical or padded tokens) stop instead of dividing dust by dust.
 */
export function dustTolerance(rank: number, single: boolean): number {
  return Math.max(8, rank) * unitRoundoff(single);
}

/**
 * How far a normaliser may fall below its certified bound, or an output leave the range of the values, relatively,
 * and still count as rounding: √u. Corrections of that size are made but neither counted nor felt by the gradient.
 */
export function roundingSlack(single: boolean): number {
  return single ? 2 ** -12 : 2 ** -26;
}

/** The first entry of `known` that `value` equals. E_VALUE when there is none. */
function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) {
    fail("E_VALUE", `residual-pivoted: ${name} must be one of ${known.join(", ")}, not ${String(value)}`);
  }
  return found;
}

/**
 * Completes and checks settings. E_VALUE when the rank is no positive integer, the law is unknown, the ridge is
 * negative or not finite, or `causal` is asked for.
 */
export function completeSettings(given: {
  readonly rank?: unknown;
  readonly pivots?: unknown;
  readonly ridge?: unknown;
  readonly causal?: unknown;
}): Settings {
  const { rank = defaultSettings.rank, ridge = defaultSettings.ridge, causal = false } = given;
  if (typeof rank !== "number" || !Number.isInteger(rank) || rank < 1) {
    fail("E_VALUE", `residual-pivoted: rank must be an integer of at least 1, not ${String(rank)}`);
  }
  if (typeof ridge !== "number" || !(ridge >= 0) || ridge === Infinity) {
    fail("E_VALUE", `residual-pivoted: ridge must be a finite number of at least 0, not ${String(ridge)}`);
  }
  if (causal !== false) {
    fail(
      "E_VALUE",
      "residual-pivoted: the causal form is not available yet, and masking the factors would still leak the future " +
        "through the pivots; leave causal at false, or use exact causal attention",
    );
  }
  return { rank, ridge, pivots: oneOf("pivots", given.pivots ?? defaultSettings.pivots, pivotLaws) };
}
