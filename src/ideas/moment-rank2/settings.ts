import { fail } from "../../errors/index.js";
import { oneOf } from "../one-of.js";
import { checkBound, defaultBound } from "./amplification-bound.js";
import { truncationGradients, type TruncationGradient } from "./truncate-rank.js";

/**
 * The order of truncation and projection. `B`, the paper's: C(H) = P(H) + (I−P) T_r((I−P) H). `A`, correction
 * afterwards: C(H) = T_r(H) + P(H − T_r(H)).
 */
export const forms = ["A", "B"] as const;

/** One of {@link forms}. */
export type Form = (typeof forms)[number];

/** What shapes the compression. */
export interface Settings {
  /** The rank of the truncation, at least 1; the compressed state has up to two more. */
  readonly rank: number;
  readonly form: Form;
  readonly gradient: TruncationGradient;
  /** Where the exact gradient is clipped, see {@link defaultBound}. */
  readonly bound: number;
  /** `grid`: mass, momenta and energy over a velocity grid. */
  readonly moments: "grid";
}

/** The settings that hold where nothing is said. */
export const defaultSettings: Settings = {
  rank: 2,
  form: "B",
  gradient: "exact",
  bound: defaultBound,
  moments: "grid",
};

/** The kinds of moments and tensors that are designed but not built. */
const awaited: readonly unknown[] = ["power", "hierarchical"];

/**
 * Completes and checks settings.
 *
 * @throws E_VALUE for a rank that is no positive whole number, an unknown form or gradient, a bound below 1, or moments
 *   other than `grid`
 */
export function completeSettings(given: { readonly [Name in keyof Settings]?: unknown }): Settings {
  const { rank = defaultSettings.rank, bound = defaultSettings.bound } = given;
  const { moments = defaultSettings.moments } = given;
  if (typeof rank !== "number" || !Number.isInteger(rank) || rank < 1) {
    fail("E_VALUE", `moment-rank2: rank must be a whole number of at least 1, not ${String(rank)}`);
  }
  checkBound(bound);
  if (moments !== "grid") {
    const what = awaited.includes(moments)
      ? `moments "${String(moments)}" are not available yet`
      : `there are no moments "${String(moments)}"`;
    fail("E_VALUE", `moment-rank2: ${what}; leave moments at "grid"`);
  }
  return {
    rank,
    bound,
    moments,
    form: oneOf("moment-rank2", "form", given.form ?? defaultSettings.form, forms),
    gradient: oneOf(
      "moment-rank2",
      "gradient",
      given.gradient ?? defaultSettings.gradient,
      truncationGradients,
    ),
  };
}
