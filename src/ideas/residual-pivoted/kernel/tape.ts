import type { Floats } from "../../../tensor/index.js";
import type { Points, ProblemSize } from "./points.js";

/**
 * What the forward pass over a batch of problems leaves for the backward pass: O(n r) numbers a problem, all in one
 * block, so that they go to the memory of the fast kernel and back in one piece.
 */
export interface Tape {
  readonly block: Float64Array;
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
  /** 1 for each row that is a pivot, when there is no ridge: Â has the rows and columns of these exactly. */
  readonly exact: Uint8Array;
  readonly squaredNorms: Float64Array;
  /** How many normalisers and outputs were replaced. */
  flooredCount: number;
  clampedCount: number;
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
  /** F_kᵀ κ [V, 1] over the keys that are not {@link Tape.exact}: `[capacity, channels + 1]`. */
  readonly mixed: Floats;
  readonly exact: Uint8Array;
  /** Z after its floor, in the scale of κ: `[queries]`. */
  readonly normaliser: Floats;
  /** The output before it is moved into the range of the values: `[queries, channels]`. */
  readonly raw: Floats;
  readonly floored: Uint8Array;
  readonly clamped: Uint8Array;
}

/** The elements of each field of a tape, a problem. */
function fieldSizes({ queries, keys, width, channels }: ProblemSize, rank: number) {
  const count = queries + keys;
  return {
    floats: {
      rows: count * width,
      columns: rank * count,
      factor: rank * count,
      lower: rank * rank,
      keyWeights: keys,
      mixed: rank * (channels + 1),
      normaliser: queries,
      raw: queries * channels,
    },
    squaredNorms: count,
    integers: { pivots: rank, ranks: 1 },
    bytes: { states: 1, floored: queries, clamped: queries * channels, present: count, exact: count },
  };
}

function total(sizes: Readonly<Record<string, number>>): number {
  return Object.values(sizes).reduce((sum, size) => sum + size, 0);
}

/** The float64 numbers that the block of a tape must hold. */
export function tapeLength(size: ProblemSize, problems: number, rank: number, single: boolean): number {
  const { floats, squaredNorms, integers, bytes } = fieldSizes(size, rank);
  const each = total(floats) * (single ? 4 : 8) + squaredNorms * 8 + total(integers) * 4 + total(bytes);
  return Math.ceil((problems * each) / 8);
}

/** A tape on a block of {@link tapeLength} numbers, whatever these are. */
export function tapeOn(
  block: Float64Array,
  size: ProblemSize,
  problems: number,
  rank: number,
  single: boolean,
): Tape {
  const { buffer } = block;
  let offset = block.byteOffset;
  const take = (length: number, bytes: number): [ArrayBufferLike, number, number] => {
    const at = offset;
    offset += length * bytes;
    return [buffer, at, length];
  };
  const sizes = fieldSizes(size, rank);
  const floats = (each: number): Floats =>
    single ? new Float32Array(...take(problems * each, 4)) : new Float64Array(...take(problems * each, 8));
  const bytes = (each: number): Uint8Array => new Uint8Array(...take(problems * each, 1));
  // The largest elements first, so that each field begins at a multiple of its own.
  const squaredNorms = new Float64Array(...take(problems * sizes.squaredNorms, 8));
  const fields: FloatFields = {
    rows: floats(sizes.floats.rows),
    columns: floats(sizes.floats.columns),
    factor: floats(sizes.floats.factor),
    lower: floats(sizes.floats.lower),
    keyWeights: floats(sizes.floats.keyWeights),
    mixed: floats(sizes.floats.mixed),
    normaliser: floats(sizes.floats.normaliser),
    raw: floats(sizes.floats.raw),
  };
  return {
    block,
    single,
    problems,
    rank,
    size,
    squaredNorms,
    floats: fields,
    pivots: new Int32Array(...take(problems * sizes.integers.pivots, 4)),
    ranks: new Int32Array(...take(problems * sizes.integers.ranks, 4)),
    states: bytes(sizes.bytes.states),
    floored: bytes(sizes.bytes.floored),
    clamped: bytes(sizes.bytes.clamped),
    present: bytes(sizes.bytes.present),
    exact: bytes(sizes.bytes.exact),
    flooredCount: 0,
    clampedCount: 0,
  };
}

/** Forgets what the block of a tape held: zeros, and no pivots. */
export function clearTape(tape: Tape): void {
  tape.block.fill(0);
  tape.pivots.fill(-1);
}

/** An empty tape for `problems` problems of one size. */
export function emptyTape(size: ProblemSize, problems: number, rank: number, single: boolean): Tape {
  const block = new Float64Array(tapeLength(size, problems, rank, single));
  const tape = tapeOn(block, size, problems, rank, single);
  clearTape(tape);
  return tape;
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
    exact: part(tape.exact, count),
    normaliser: part(floats.normaliser, queries),
    raw: part(floats.raw, queries * channels),
    floored: part(tape.floored, queries),
    clamped: part(tape.clamped, queries * channels),
  };
}
