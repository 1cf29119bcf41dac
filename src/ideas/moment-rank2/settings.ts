import { fail } from "../../errors/index.js";
import { oneOf } from "../one-of.js";
import { checkBound, defaultBound } from "./amplification-bound.js";
import { gridShape } from "./state-grid.js";
import { truncationGradients, type TruncationGradient } from "./truncate-rank.js";

/**
 * The order of truncation and projection. `B`, the paper's: C(H) = P(H) + (I−P) T((I−P) H). `A`, correction
 * afterwards: C(H) = T(H) + P(H − T(H)).
 */
export const forms = ["A", "B"] as const;

/** One of {@link forms}. */
export type Form = (typeof forms)[number];

/** What shapes the truncation. */
export interface TruncationSettings {
  /** The rank of the truncation, at least 1; of a tensor, the rank at the leaves. */
  readonly rank: number;
  readonly form: Form;
  readonly gradient: TruncationGradient;
  /** Where the exact gradient is clipped, see {@link defaultBound}. */
  readonly bound: number;
}

/** The moments that can be kept: of a density over a velocity grid, or of the units, in any order. */
export const momentKinds = ["grid", "power"] as const;

/** The weights that a grid may have. */
export const weights = ["none", "gaussian"] as const;

/** The most powers of the units whose means can be kept. */
export const mostPowers = 4;

/** What shapes the compression of a hidden state. */
export interface Settings extends TruncationSettings {
  /** `grid`: mass, momenta and energy over a velocity grid. `power`: the means of the first powers of the units. */
  readonly moments: (typeof momentKinds)[number];
  /** The points of each mode that the units are read over: `8x8`, `16x4`, or a tensor, `4x4x4`. */
  readonly grid: string;
  /** The rank at the nodes of several modes of a tensor. */
  readonly transferRank: number;
  /** `gaussian`: proportional to exp(−v²/2) on each mode, v from −2 to 2. With moments `grid` alone. */
  readonly weight: (typeof weights)[number];
  /** The means of h, h², … that moments `power` keep, from 1 to 4. */
  readonly powers: number;
}

/** The settings that hold where nothing is said. */
export const defaultSettings: Settings = {
  rank: 2,
  form: "B",
  gradient: "exact",
  bound: defaultBound,
  moments: "grid",
  grid: "8x8",
  transferRank: 2,
  weight: "none",
  powers: 2,
};

const name = "moment-rank2";

/**
 * Completes and checks what shapes a truncation.
 *
 * @throws E_VALUE for a rank that is no positive whole number, an unknown form or gradient, or a bound below 1
 */
export function completeTruncation(given: {
  readonly [Name in keyof TruncationSettings]?: unknown;
}): TruncationSettings {
  const { rank = defaultSettings.rank, bound = defaultSettings.bound } = given;
  wholeNumber("rank", rank, Infinity);
  checkBound(bound);
  return {
    rank,
    bound,
    form: oneOf(name, "form", given.form ?? defaultSettings.form, forms),
    gradient: oneOf(name, "gradient", given.gradient ?? defaultSettings.gradient, truncationGradients),
  };
}

/**
 * Completes and checks settings.
 *
 * @throws E_VALUE as {@link completeTruncation}, and for unknown moments or weights, a grid that does not have 64 points,
 *   a rank beyond that of its matrices, powers outside 1 … 4, or a weight without moments over a grid
 */
export function completeSettings(given: { readonly [Name in keyof Settings]?: unknown }): Settings {
  const { transferRank = defaultSettings.transferRank, powers = defaultSettings.powers } = given;
  const { grid = defaultSettings.grid } = given;
  const truncation = completeTruncation(given);
  wholeNumber("transferRank", transferRank, Infinity);
  wholeNumber("powers", powers, mostPowers);
  const shape = gridShape(grid);
  const most = Math.min(...shape);
  if (shape.length === 2 && truncation.rank > most) {
    fail(
      "E_VALUE",
      `${name}: the rank of ${shape.join("×")} matrices is at most ${most}, not ${truncation.rank}`,
    );
  }
  const moments = oneOf(name, "moments", given.moments ?? defaultSettings.moments, momentKinds);
  const weight = oneOf(name, "weight", given.weight ?? defaultSettings.weight, weights);
  if (moments === "power" && weight !== "none") {
    fail("E_VALUE", `${name}: power moments know no grid, so that weight must be "none", not "${weight}"`);
  }
  return { ...truncation, moments, grid: shape.join("x"), transferRank, weight, powers };
}

function wholeNumber(option: string, value: unknown, most: number): asserts value is number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > most) {
    const range = most === Infinity ? "of at least 1" : `from 1 to ${most}`;
    fail("E_VALUE", `${name}: ${option} must be a whole number ${range}, not ${String(value)}`);
  }
}
