import type { LawFailure } from "./law-failure.js";

/** One of several things that a law compares, each with a tolerance of its own. */
export interface LawPart {
  /** What is compared, such as `J·v against differences`. */
  readonly name: string;
  /** The largest error found, on the scale of the tolerance. */
  readonly worst: number;
  readonly tolerance: number;
  /** Numbers compared. */
  readonly compared: number;
}

/** What a law found. */
export interface LawResult {
  /** The name of the law, such as `CorrectGradients`. */
  readonly law: string;
  readonly passed: boolean;
  /**
   * The largest error found, on the scale of `tolerance`; of a law with several parts, that of the part which comes nearest to
   * its tolerance, or is furthest beyond it. Infinity for a NaN, or for shapes or types that differ.
   */
  readonly worst: number;
  /** The largest error allowed; 0 where the law asks for equal bits. */
  readonly tolerance: number;
  /** Numbers compared. */
  readonly compared: number;
  /** Elements left out because the function has a kink there: its one-sided derivatives differ. */
  readonly kinks: number;
  readonly parts: readonly LawPart[];
  /** The worst disagreement, when there was one. */
  readonly failure?: LawFailure;
}
