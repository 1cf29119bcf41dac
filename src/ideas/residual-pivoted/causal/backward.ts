import type { Floats } from "../../../tensor/index.js";
import { pointScale } from "../kernel/points.js";
import { attendRow, emptyRow, type Row } from "./attend-row.js";
import { scaledRows } from "./begin-prefix.js";
import { epochsOf, type Epoch, type SeenChunk } from "./epochs.js";
import type { CausalCall, CausalTape } from "./forward.js";
import { EpochCotangents, type RowCotangent } from "./epoch-cotangents.js";

/** Arrays of the sizes of q, k and v. */
export interface CausalGradients {
  readonly dq: Floats;
  readonly dk: Floats;
  readonly dv: Floats;
}

/**
 * The gradients of `causalForward` in q, k and v with the pivots constant, over what the arrays hold before. The pass through the
 * tokens is made again, so that no more than one epoch's share of the past is kept. A floored normaliser and a clamped average
 * are constants; a problem with a query or key that is not finite before its last chunk gets NaN.
 */
export function causalBackward(
  call: CausalCall,
  tape: CausalTape,
  { q, k, v }: { readonly q: Floats; readonly k: Floats; readonly v: Floats },
  cotangent: Floats,
  grads: CausalGradients,
): void {
  const { problems, tokens, width, channels, rank, settings } = call;
  const row = emptyRow(rank, channels, Math.min(settings.chunk, tokens));
  for (let p = 0; p < problems; p++) {
    const points = <T extends Floats>(all: T): T =>
      all.subarray(p * tokens * width, (p + 1) * tokens * width) as T;
    const values = <T extends Floats>(all: T): T =>
      all.subarray(p * tokens * channels, (p + 1) * tokens * channels) as T;
    const arrays = { q: points(q), k: points(k), v: values(v) };
    const sums = {
      dq: new Float64Array(tokens * width),
      dk: new Float64Array(tokens * width),
      dv: new Float64Array(tokens * channels),
    };
    let finite = true;
    for (const epoch of epochsOf(call, tape.pivots, p, arrays, row)) {
      finite &&= epoch.chunks.every(({ prefix }) => prefix?.finite !== false);
      if (finite) epochGradient(call, epoch, arrays, values(cotangent), row, sums);
    }
    if (!finite) for (const sum of Object.values(sums)) sum.fill(NaN);
    points(grads.dq).set(sums.dq);
    points(grads.dk).set(sums.dk);
    values(grads.dv).set(sums.dv);
  }
}

type Sums = { readonly [Name in keyof CausalGradients]: Float64Array };

/** Adds what the chunks of one epoch give, from the last to the first. */
function epochGradient(
  call: CausalCall,
  { past, chosen, chunks }: Epoch,
  { k, v }: { readonly k: Floats; readonly v: Floats },
  cotangent: Floats,
  row: Row,
  sums: Sums,
): void {
  const { width } = call;
  const { from: lastFrom, tokens: last } = chunks.at(-1)!;
  const end = lastFrom + last.length;
  const dQueries = new Float64Array(end * width);
  const dKeys = new Float64Array(end * width);
  const first = chunks[0]!.prefix;
  const through = first && new EpochCotangents(first, row);
  for (let at = chunks.length - 1; at >= 0; at--) {
    const seen = chunks[at]!;
    through?.beginChunk(seen.prefix!);
    chunkGradient(call, seen, cotangent, row, through, { dQueries, dKeys, dv: sums.dv });
    if (!through) continue;
    const before = at > 0 ? chunks[at - 1]! : undefined;
    const from = before ? before.from : 0;
    const keys = before ? before.tokens.keys : scaledRows(k, 0, past, call, first.centre);
    const isPivot = (j: number): boolean =>
      call.ridge === 0 && before === undefined && chosen.includes(past + j);
    through.endChunk();
    for (let j = 0; j < keys.length / width; j++) {
      if (!isPivot(j)) through.addKey(keys, j, v, from + j, dKeys, sums.dv);
    }
    if (!before && call.ridge === 0) through.addPivotKeys(chosen, past, keys, v, dKeys, sums.dv);
    if (before) through.rescale(seen.prefix!.shift, before.prefix!.shift);
  }
  through?.addPivotPoints(chosen, past, dQueries, dKeys);
  const scale = pointScale(width, call.single);
  for (let at = 0; at < end * width; at++) {
    sums.dq[at] = sums.dq[at]! + dQueries[at]! * scale;
    sums.dk[at] = sums.dk[at]! + dKeys[at]! * scale;
  }
  for (let c = 0; c < width && past > 0; c++) {
    let moved = 0;
    for (let j = 0; j < end; j++) moved += dKeys[j * width + c]!;
    for (let j = 0; j < past; j++) {
      sums.dk[j * width + c] = sums.dk[j * width + c]! - (moved / past) * scale;
    }
  }
}

interface ChunkSums {
  readonly dQueries: Float64Array;
  readonly dKeys: Float64Array;
  readonly dv: Float64Array;
}

/** What the queries of one chunk give: to the keys and values of the chunk themselves, to the others through the prefix. */
function chunkGradient(
  { width, channels, single }: CausalCall,
  { from, tokens, prefix }: SeenChunk,
  cotangent: Floats,
  row: Row,
  through: EpochCotangents | undefined,
  { dQueries, dKeys, dv }: ChunkSums,
): void {
  const { queries, keys, values, length } = tokens;
  for (let i = 0; i < length; i++) {
    attendRow(prefix, tokens, i, row, single);
    const g = (c: number): number => cotangent[(from + i) * channels + c]!;
    const to = (from + i) * width;
    let along = 0;
    for (let c = 0; c < channels; c++) along += g(c) * row.output[c]!;
    for (let j = 0; j <= i; j++) {
      const weight = row.weights[j]!;
      let own = 0;
      for (let c = 0; c < channels; c++) {
        own += g(c) * values[j * channels + c]!;
        const at = (from + j) * channels + c;
        dv[at] = dv[at]! + weight * g(c);
      }
      const score = weight * (own - along);
      for (let c = 0; c < width; c++) {
        dQueries[to + c] = dQueries[to + c]! + score * keys[j * width + c]!;
        const at = (from + j) * width + c;
        dKeys[at] = dKeys[at]! + score * queries[i * width + c]!;
      }
    }
    if (!prefix || !through) continue;
    const given = normaliserCotangent(row, g, along);
    for (let c = 0; c < width; c++)
      dQueries[to + c] = dQueries[to + c]! + given.growth * queries[i * width + c]!;
    through.addQuery(queries, i, given, dQueries, to);
  }
}

/** ∂L/∂[N, Z_p] of a row, and what its factor e^{|x|²/2} gets. */
function normaliserCotangent(row: Row, g: (c: number) => number, along: number): RowCotangent {
  const { raw, average, clamped, share, normaliser, floored } = row;
  const channels = raw.length;
  const toSums = new Float64Array(channels + 1);
  let whole = 0;
  let spread = 0;
  for (let c = 0; c < channels; c++) {
    whole += g(c) * average[c]!;
    const own = clamped[c] === 1 ? 0 : share * g(c);
    toSums[c] = own / normaliser;
    spread += own * raw[c]!;
  }
  const logarithm = share * (whole - along);
  if (!floored) toSums[channels] = (logarithm - spread) / normaliser;
  return { toSums, growth: floored ? spread : logarithm };
}
