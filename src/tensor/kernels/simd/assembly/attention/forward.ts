import { gemmOf } from "../product/gemm";
import { transpose } from "../product/pack";
import {
  FEATURES, headOf, K, KEYS, keptOf, OUT, pitchOf, Q, QUERIES, ROWS, rowOf, SCRATCH, V, value, WEIGHTS,
  WIDTH,
} from "./plan";
import { softmaxRows } from "./softmax";
import { allFinite, keysBefore, look, someHidden, visibleSum } from "./visible";

/** X `[rows, columns]` transposed to `[columns, pitch]`, zeros beyond. */
export function turned(rows: i32, columns: i32, x: usize, ld: i32, to: usize, pitch: i32): void {
  if (rows != pitch) memory.fill(to, 0, <usize>(columns * pitch) << 2);
  transpose(rows, columns, x, ld, to, pitch);
}

/** to `[rows, columns]` = factor·from. */
export function scaled(
  rows: i32, columns: i32, from: usize, ldFrom: i32, to: usize, ldTo: i32, factor: f32,
): void {
  const by = f32x4.splat(factor);
  for (let i = 0; i < rows; i++) {
    let x = from + (<usize>(i * ldFrom) << 2);
    let y = to + (<usize>(i * ldTo) << 2);
    const end = x + (<usize>columns << 2);
    for (; x + 16 <= end; x += 16, y += 16) v128.store(y, f32x4.mul(v128.load(x), by));
    for (; x < end; x += 4, y += 4) store<f32>(y, load<f32>(x) * factor);
  }
}

/** The weights `[rows, pitch]` of a block of scaled queries that begins with query `first`. */
export function weightsOf(
  plan: usize, first: i32, rows: i32, query: usize, turnedKeys: usize, weights: usize, panel: usize,
): void {
  const features = value(plan, FEATURES);
  const pitch = pitchOf(plan);
  const seen = keysBefore(plan, first + rows);
  const n = (seen + 15) & ~15;
  gemmOf(false, false, rows, n, features, query, features, turnedKeys, pitch, weights, pitch, false, panel);
  softmaxRows(plan, first, rows, weights, pitch, n, panel);
}

/**
 * One head of one sequence. Scratch: panel (also figures of the rows), keys turned, a block of queries, a
 * block of weights.
 */
export function stackForward(plan: usize, b: i32, h: i32, scale: f32): void {
  const queries = value(plan, QUERIES);
  const keys = value(plan, KEYS);
  const features = value(plan, FEATURES);
  const width = value(plan, WIDTH);
  const pitch = pitchOf(plan);
  const q = headOf(plan, Q, Q, b, h);
  const v = headOf(plan, V, V, b, h);
  const out = headOf(plan, OUT, OUT, b, h);
  const rowQ = rowOf(plan, Q);
  const rowV = rowOf(plan, V);
  const rowOut = rowOf(plan, OUT);
  const keep = value(plan, WEIGHTS) != 0;
  const kept = keptOf(plan, b, h);
  const panel: usize = value(plan, SCRATCH);
  const turnedKeys = panel + 8192;
  const query = turnedKeys + (<usize>(features * pitch) << 2);
  const block = query + (<usize>(ROWS * features) << 2);
  look(plan, b, h);
  turned(keys, features, headOf(plan, K, K, b, h), rowOf(plan, K), turnedKeys, pitch);
  const careful = someHidden() && !allFinite(keys, width, v, rowV);
  for (let first = 0; first < queries; first += ROWS) {
    const rows = min(ROWS, queries - first);
    const weights = keep ? kept + (<usize>(first * pitch) << 2) : block;
    scaled(rows, features, q + (<usize>(first * rowQ) << 2), rowQ, query, features, scale);
    weightsOf(plan, first, rows, query, turnedKeys, weights, panel);
    const to = out + (<usize>(first * rowOut) << 2);
    const seen = keysBefore(plan, first + rows);
    if (careful) visibleSum(rows, width, seen, first, weights, pitch, v, rowV, to, rowOut);
    else gemmOf(false, false, rows, width, seen, weights, pitch, v, rowV, to, rowOut, false, panel);
  }
}
