import type { Floats } from "../../../tensor/index.js";
import type { Points, ProblemSize } from "./points.js";

/** What the forward pass over a batch of problems leaves for the backward pass: O(n r) numbers a problem. */
export interface Tape {
  readonly single: boolean;
  readonly problems: number;
  readonly rank: number;
  readonly size: ProblemSize;
  /** Pivot rows `[problems, rank]` in order, −1 where a problem stopped earlier. Rows ≥ queries are keys. */
  readonly pivots: Int32Array;
  /** Number of pivots of each problem. */
  readonly ranks: Int32Array;
  /** Per problem: 0 nothing to attend to, 1 ordinary, 2 an unmasked query or key is not finite. */
  readonly states: Uint8Array;
  /** 1 where the normaliser `[problems, queries]` was replaced by its bound. */
  readonly floored: Uint8Array;
  /** 1 where the output `[problems, queries, channels]` was replaced by the bound of its channel. */
  readonly clamped: Uint8Array;
  readonly floats: FloatFields;
  readonly present: Uint8Array;
  readonly squaredNorms: Float64Array;
}

/** Every floating field of a tape, one array over all problems. */
interface FloatFields {
  readonly rows: Floats;
  readonly columns: Floats;
  readonly factor: Floats;
  readonly lower: Floats;
  readonly keyWeights: Floats;
  readonly mixed: Floats;
  readonly normaliser: Floats;
  readonly raw: Floats;
}

/** The state of a problem in {@link Tape.states}. */
export const problemStates = { empty: 0, ordinary: 1, notFinite: 2 } as const;

/** The part of a tape that belongs to one problem, as views. */
export interface ProblemTape {
  readonly single: boolean;
  readonly size: ProblemSize;
  readonly capacity: number;
  readonly points: Points;
  readonly pivots: Int32Array;
  /** Gaussian columns G[:,S]: `[capacity, rows]`. */
  readonly columns: Floats;
  /** F with A ≈ F Fᵀ by columns: `[capacity, rows]`. */
  readonly factor: Floats;
  /** L with L Lᵀ = G[S,S] + ridge: `[capacity, capacity]`, lower triangle. */
  readonly lower: Floats;
  /** κ_j = e^{|y_j|²/2 − largest}: `[keys]`, 0 for masked keys. */
  readonly keyWeights: Floats;
  /** F_kᵀ κ [V, 1]: `[capacity, channels + 1]`. */
  readonly mixed: Floats;
  /** Z after its floor, in the scale of κ: `[queries]`. */
  readonly normaliser: Floats;
  /** The output before it is clamped: `[queries, channels]`. */
  readonly raw: Floats;
  readonly floored: Uint8Array;
  readonly clamped: Uint8Array;
}

/** An empty tape for `problems` problems of one size. */
export function emptyTape(size: ProblemSize, problems: number, rank: number, single: boolean): Tape {
  const count = size.queries + size.keys;
  const floats = (each: number): Floats =>
    single ? new Float32Array(problems * each) : new Float64Array(problems * each);
  return {
    single,
    problems,
    rank,
    size,
    pivots: new Int32Array(problems * rank).fill(-1),
    ranks: new Int32Array(problems),
    states: new Uint8Array(problems),
    floored: new Uint8Array(problems * size.queries),
    clamped: new Uint8Array(problems * size.queries * size.channels),
    present: new Uint8Array(problems * count),
    squaredNorms: new Float64Array(problems * count),
    floats: {
      rows: floats(count * size.width),
      columns: floats(rank * count),
      factor: floats(rank * count),
      lower: floats(rank * rank),
      keyWeights: floats(size.keys),
      mixed: floats(rank * (size.channels + 1)),
      normaliser: floats(size.queries),
      raw: floats(size.queries * size.channels),
    },
  };
}

/** The views of problem `at`. */
export function problemTape(tape: Tape, at: number): ProblemTape {
  const { size, rank, single, floats } = tape;
  const { queries, keys, width, channels } = size;
  const count = queries + keys;
  const part = <T extends Floats | Int32Array | Uint8Array>(field: T, each: number): T =>
    field.subarray(at * each, (at + 1) * each) as T;
  return {
    single,
    size,
    capacity: rank,
    points: {
      single,
      queries,
      keys,
      width,
      rows: part(floats.rows, count * width),
      present: part(tape.present, count),
      squaredNorms: part(tape.squaredNorms as Floats, count) as Float64Array,
    },
    pivots: part(tape.pivots, rank),
    columns: part(floats.columns, rank * count),
    factor: part(floats.factor, rank * count),
    lower: part(floats.lower, rank * rank),
    keyWeights: part(floats.keyWeights, keys),
    mixed: part(floats.mixed, rank * (channels + 1)),
    normaliser: part(floats.normaliser, queries),
    raw: part(floats.raw, queries * channels),
    floored: part(tape.floored, queries),
    clamped: part(tape.clamped, queries * channels),
  };
}
