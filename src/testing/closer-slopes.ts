import { fivePoint, type Path } from "./differences.js";

/** Each step is this part of the one before: the error of the formula falls by 4⁴, that of rounding grows by 4. */
const ratio = 1 / 4;

/** The most steps that are tried after the first. */
const mostSteps = 6;

/** Two slopes that differ by less than this, relative to max(1, |slope|), count as converged. */
const converged = 1e-11;

/**
 * Five-point differences with steps ever closer to the point, for a function that bends within the first step, such as the
 * square root of 1e-5 + x² at 0. The slope is that of the two neighbouring steps that differ least: what the differences say of
 * themselves, whatever a rule claims. (Ridders, "Accurate computation of F′(x) and F′(x)F″(x)", Advances in Engineering
 * Software 4, 1982, chooses by the same measure.)
 */
export class CloserSlopes {
  readonly #slopes: Float64Array[] = [];

  constructor(
    private readonly f: Path,
    private readonly step: number,
  ) {}

  /** The number of interest in an array of slopes, as far as it converges; NaN where all values beside the point are. */
  slope(along: (slopes: Float64Array) => number): number {
    let [best, least] = [NaN, Infinity];
    let before = along(this.#at(0));
    for (let i = 1; i <= mostSteps && !(least <= converged * Math.max(1, Math.abs(best))); i++) {
      const slope = along(this.#at(i));
      const gap = Math.abs(slope - before);
      if (gap < least) [best, least] = [slope, gap];
      before = slope;
    }
    return best;
  }

  #at(index: number): Float64Array {
    return (this.#slopes[index] ??= fivePoint(this.f, this.step * ratio ** index));
  }
}
