import type { HiddenRows } from "../document.js";

/** `[example][head][query][key]` */
export type PerPair<T> = readonly (readonly (readonly (readonly T[])[])[])[];

/** `[example][head]`, a list each. */
export type PerHead<T> = readonly (readonly (readonly T[])[])[];

/** A query or key that an approximation is exact for. */
export interface Pivot {
  readonly kind: "query" | "key";
  readonly row: number;
}

/** Where NaN or infinities are; `q, k or v` when they are one tensor that is not known whole. */
export type NotFinite = "q" | "k" | "v" | "q, k or v" | "scores";

/** Where one attention looks. */
export interface AttentionMap {
  /** The node of the operation: an attention, or the softmax of one that was composed. */
  readonly node: number;
  /** The path of the module, "" where none is known. */
  readonly path: string;
  /** `pivoted`: through a factor of rank r of its kernel (residual-pivoted). */
  readonly kind: "exact" | "pivoted";
  /** How many examples are here, of how many. */
  readonly examples: number;
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  /**
   * How much of each value goes into the result of each query. The weights of a row add up to 1, those of a row in which all is
   * hidden are 0. Those of a pivoted attention are its approximation Â, normalised, before its result is clamped: they may lie below 0
   * or above 1; of the causal form they are clamped. Left out where the document does not hold what they are computed of.
   */
  readonly weights?: PerPair<number>;
  /** Of a pivoted attention: the weights of exact attention for the same queries and keys. */
  readonly exact?: PerPair<number>;
  /** Of a pivoted attention, not of the causal form: its pivots in the order in which they were chosen. */
  readonly pivots?: PerHead<Pivot>;
  /** Of the same: the queries whose normaliser was replaced by its bound. */
  readonly floored?: PerHead<number>;
  /** Which keys are hidden from which queries, where there is a mask. */
  readonly hidden?: PerPair<boolean>;
  readonly hiddenRows?: HiddenRows;
  /** What holds a NaN or an infinity; `scores` when they overflow though q and k are finite. */
  readonly notFinite: readonly NotFinite[];
}
