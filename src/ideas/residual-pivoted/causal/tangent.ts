import type { Floats } from "../../../tensor/index.js";
import { attendRow, emptyRow, type Row } from "./attend-row.js";
import { scaledRows } from "./begin-prefix.js";
import { epochsOf, type SeenChunk } from "./epochs.js";
import type { CausalCall, CausalTape } from "./forward.js";
import { PrefixTangent } from "./prefix-tangent.js";
import type { Tokens } from "./prefix.js";

/** Directions of q, k and v. */
export interface CausalTangents {
  readonly tq: Floats;
  readonly tk: Floats;
  readonly tv: Floats;
}

/** Directions of the points and values of some tokens. */
export interface TokenTangents {
  readonly queries: Float64Array;
  readonly keys: Float64Array;
  readonly values: Floats;
}

/** The directional derivatives of `causalForward`, pivots held, over what `out` holds before: the transpose of `causalBackward`. */
export function causalTangent(
  call: CausalCall,
  tape: CausalTape,
  { q, k, v }: { readonly q: Floats; readonly k: Floats; readonly v: Floats },
  { tq, tk, tv }: CausalTangents,
  out: Floats,
): void {
  const { problems, tokens, width, channels, rank, settings } = call;
  const row = emptyRow(rank, channels, Math.min(settings.chunk, tokens));
  for (let p = 0; p < problems; p++) {
    const points = (all: Floats): Floats => all.subarray(p * tokens * width, (p + 1) * tokens * width);
    const values = (all: Floats): Floats => all.subarray(p * tokens * channels, (p + 1) * tokens * channels);
    const arrays = { q: points(q), k: points(k), v: values(v) };
    const moved = { q: points(tq), k: points(tk), v: values(tv) };
    const to = values(out);
    for (const { past, chosen, chunks } of epochsOf(call, tape.pivots, p, arrays, row)) {
      const first = chunks[0]!.prefix;
      const centre = meanOf(moved.k, past, width);
      const tangentsOf = (from: number, length: number): TokenTangents => ({
        queries: scaledRows(moved.q, from, length, call),
        keys: scaledRows(moved.k, from, length, call, centre),
        values: moved.v.subarray(from * channels, (from + length) * channels),
      });
      const pastTokens = (): Tokens => ({
        length: past,
        queries: scaledRows(arrays.q, 0, past, call),
        keys: scaledRows(arrays.k, 0, past, call, first!.centre),
        values: arrays.v,
      });
      const before = first && new PrefixTangent(first, chosen, pastTokens(), tangentsOf(0, past), row);
      for (const chunk of chunks) {
        const { from, tokens: here, prefix } = chunk;
        const tangents = tangentsOf(from, here.length);
        before?.see(prefix!);
        for (let i = 0; i < here.length; i++) rowTangent(chunk, i, tangents, before, row, call.single, to);
        before?.absorb(here, tangents, chunks[chunks.indexOf(chunk) + 1]?.prefix);
      }
    }
  }
}

function meanOf(rows: Floats, length: number, width: number): Float64Array {
  const mean = new Float64Array(width);
  for (let at = 0; at < length * width; at++) mean[at % width] = mean[at % width]! + rows[at]! / length;
  return mean;
}

function rowTangent(
  { from, tokens, prefix }: SeenChunk,
  i: number,
  tangents: TokenTangents,
  before: PrefixTangent | undefined,
  row: Row,
  single: boolean,
  out: Floats,
): void {
  attendRow(prefix, tokens, i, row, single);
  const { queries, keys, values, length } = tokens;
  const { weights, output, average, raw, share, clamped } = row;
  const channels = output.length;
  const width = queries.length / length;
  const moved = new Float64Array(channels);
  let mean = 0;
  for (let j = 0; j <= i; j++) {
    let score = 0;
    for (let c = 0; c < width; c++) {
      score += tangents.queries[i * width + c]! * keys[j * width + c]!;
      score += queries[i * width + c]! * tangents.keys[j * width + c]!;
    }
    mean += weights[j]! * score;
    for (let c = 0; c < channels; c++) {
      const at = j * channels + c;
      moved[c] = moved[c]! + weights[j]! * (tangents.values[at]! + values[at]! * score);
    }
  }
  if (prefix && before) {
    const sums = before.sumsOf(queries, i, tangents.queries, row);
    let half = 0;
    for (let c = 0; c < width; c++) half += queries[i * width + c]! * tangents.queries[i * width + c]!;
    const relative = row.floored ? -half : sums[channels]! / row.normaliser;
    const logarithm = half + relative;
    mean += share * logarithm;
    for (let c = 0; c < channels; c++) {
      const ofAverage = clamped[c] === 1 ? 0 : sums[c]! / row.normaliser - raw[c]! * relative;
      moved[c] = moved[c]! + share * (ofAverage + average[c]! * logarithm);
    }
  }
  for (let c = 0; c < channels; c++) {
    const value = moved[c]! - output[c]! * mean;
    out[(from + i) * channels + c] = prefix?.finite === false ? NaN : value;
  }
}
