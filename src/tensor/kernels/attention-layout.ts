import type { Floats } from "../dtype.js";

/** Where rows lie in a flat array, in elements: row i of head h of sequence b begins at start + b·batch + h·head + i·row. */
export interface HeadRows {
  readonly start: number;
  readonly batch: number;
  readonly head: number;
  readonly row: number;
}

/** Where the flag of a pair lies: at b·batch + h·head + query·row + key·column; a step of 0 is a broadcast axis. */
export interface MaskSteps {
  readonly batch: number;
  readonly head: number;
  readonly row: number;
  readonly column: number;
}

/** The sizes of one attention, and where its operands lie: apart, or side by side in one array. */
export interface AttentionLayout {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  /** Of a row of q and k. */
  readonly features: number;
  /** Of a row of v and of the result. */
  readonly width: number;
  readonly q: HeadRows;
  readonly k: HeadRows;
  readonly v: HeadRows;
  readonly out: HeadRows;
  /** Of the flags of hidden pairs, when there are any. */
  readonly mask: MaskSteps | undefined;
  /** Whether keys i + 1, i + 2, … are hidden from query i. */
  readonly causal: boolean;
}

/** The arrays of one attention. */
export interface AttentionArrays {
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
  /** 1 for a pair of a query and a key that is hidden. */
  readonly hidden: Uint8Array | undefined;
  readonly out: Floats;
  /**
   * Room for the weights, {@link keptWeights} elements, which the forward pass fills and the backward pass reads. Without it
   * the backward pass computes them again.
   */
  readonly weights: Floats | undefined;
}

/** The cotangents of q, k and v, laid out as these. */
export interface AttentionCotangents {
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
}

/** Queries that are computed at a time: no more scores than these have with all keys exist at once. */
export const queriesAtOnce = 32;

/** The elements from one row of kept weights to the next: as many as there are keys, rounded up to whole blocks of 16. */
export function weightsPitch(keys: number): number {
  return Math.ceil(keys / 16) * 16;
}

/** The elements that all weights of one attention take. */
export function keptWeights({ batch, heads, queries, keys }: AttentionLayout): number {
  return batch * heads * queries * weightsPitch(keys);
}
