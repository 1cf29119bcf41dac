import { gemmOf } from "../product/gemm";
import { dotOf, halves, SUM } from "../reduction/fold";
import { scaled, turned, weightsOf } from "./forward";
import {
  DK, DQ, DV, FEATURES, G, headOf, K, KEYS, keptOf, OUT, pitchOf, Q, QUERIES, ROWS, rowOf, SCRATCH, V,
  value, WEIGHTS, WIDTH,
} from "./plan";
import { addVisible, allFinite, hideRow, keysBefore, look, someHidden, visibleSum } from "./visible";

/** In place, n (a multiple of 16) numbers: w·(d − mean). */
// @ts-ignore: decorator
@inline
function scoreRow(n: i32, w: usize, d: usize, mean: f32): void {
  const shift = f32x4.splat(mean);
  for (const end = d + (<usize>n << 2); d < end; d += 64, w += 64) {
    v128.store(d, f32x4.mul(v128.load(w), f32x4.sub(v128.load(d), shift)));
    v128.store(d, f32x4.mul(v128.load(w, 16), f32x4.sub(v128.load(d, 16), shift)), 16);
    v128.store(d, f32x4.mul(v128.load(w, 32), f32x4.sub(v128.load(d, 32), shift)), 32);
    v128.store(d, f32x4.mul(v128.load(w, 48), f32x4.sub(v128.load(d, 48), shift)), 48);
  }
}

/** Σ g·y of two rows, in the order of every sum. */
// @ts-ignore: decorator
@inline
function dotRow(g: usize, y: usize, width: i32): f32 {
  if (width > 16 || (width & 3) != 0) return dotOf(g, y, width);
  let b = f32x4.splat(0);
  const a = f32x4.add(b, f32x4.mul(v128.load(g), v128.load(y)));
  let c = b;
  let d = b;
  if (width > 4) b = f32x4.add(b, f32x4.mul(v128.load(g, 16), v128.load(y, 16)));
  if (width > 8) c = f32x4.add(c, f32x4.mul(v128.load(g, 32), v128.load(y, 32)));
  if (width > 12) d = f32x4.add(d, f32x4.mul(v128.load(g, 48), v128.load(y, 48)));
  return halves(SUM, f32x4.add(f32x4.add(a, c), f32x4.add(b, d)));
}

function clear(rows: i32, columns: i32, at: usize, ld: i32): void {
  for (let i = 0; i < rows; i++) memory.fill(at + (<usize>(i * ld) << 2), 0, <usize>columns << 2);
}

/**
 * One head of one sequence. Scratch: panel, keys turned, a block of queries, of weights and of their
 * cotangents, values turned.
 */
export function stackBackward(plan: usize, b: i32, h: i32, scale: f32): void {
  const queries = value(plan, QUERIES);
  const keys = value(plan, KEYS);
  const features = value(plan, FEATURES);
  const width = value(plan, WIDTH);
  const pitch = pitchOf(plan);
  const rowQ = rowOf(plan, Q);
  const rowK = rowOf(plan, K);
  const rowV = rowOf(plan, V);
  const rowOut = rowOf(plan, OUT);
  const k = headOf(plan, K, K, b, h);
  const v = headOf(plan, V, V, b, h);
  const dk = headOf(plan, DK, K, b, h);
  const dv = headOf(plan, DV, V, b, h);
  const keep = value(plan, WEIGHTS) != 0;
  const panel: usize = value(plan, SCRATCH);
  const turnedKeys = panel + 8192;
  const query = turnedKeys + (<usize>(features * pitch) << 2);
  const block = query + (<usize>(ROWS * features) << 2);
  const scores = block + (<usize>(ROWS * pitch) << 2);
  const turnedValues = scores + (<usize>(ROWS * pitch) << 2);
  look(plan, b, h);
  const hidden = someHidden();
  const carefulKeys = hidden && !allFinite(keys, features, k, rowK);
  if (!keep) turned(keys, features, k, rowK, turnedKeys, pitch);
  turned(keys, width, v, rowV, turnedValues, pitch);
  // What the first block of queries does not reach.
  if (keysBefore(plan, min(ROWS, queries)) < keys) {
    clear(keys, features, dk, rowK);
    clear(keys, width, dv, rowV);
  }
  for (let first = 0; first < queries; first += ROWS) {
    const rows = min(ROWS, queries - first);
    const add = first > 0;
    const seen = keysBefore(plan, first + rows);
    const n = (seen + 15) & ~15;
    const skipQ = <usize>(first * rowQ) << 2;
    const skipOut = <usize>(first * rowOut) << 2;
    const g = headOf(plan, G, OUT, b, h) + skipOut;
    const out = headOf(plan, OUT, OUT, b, h) + skipOut;
    const dq = headOf(plan, DQ, Q, b, h) + skipQ;
    const weights = keep ? keptOf(plan, b, h) + (<usize>(first * pitch) << 2) : block;
    scaled(rows, features, headOf(plan, Q, Q, b, h) + skipQ, rowQ, query, features, scale);
    if (!keep) weightsOf(plan, first, rows, query, turnedKeys, weights, panel);
    gemmOf(false, false, rows, n, width, g, rowOut, turnedValues, pitch, scores, pitch, false, panel);
    for (let i = 0; i < rows; i++) {
      const down = <usize>(i * rowOut) << 2;
      const row = scores + (<usize>(i * pitch) << 2);
      scoreRow(n, weights + (<usize>(i * pitch) << 2), row, dotRow(g + down, out + down, width));
      const visible = keysBefore(plan, first + i + 1);
      for (let j = visible; j < n; j++) store<f32>(row + (<usize>j << 2), 0);
      hideRow(first + i, row, visible, 0);
    }
    if (carefulKeys) visibleSum(rows, features, seen, first, scores, pitch, k, rowK, dq, rowQ);
    else gemmOf(false, false, rows, features, seen, scores, pitch, k, rowK, dq, rowQ, false, panel);
    scaled(rows, features, dq, rowQ, dq, rowQ, scale);
    if (hidden && !allFinite(rows, features, query, features))
      addVisible(seen, features, rows, first, scores, pitch, query, features, dk, rowK, add);
    else gemmOf(true, false, seen, features, rows, scores, pitch, query, features, dk, rowK, add, panel);
    if (hidden && !allFinite(rows, width, g, rowOut))
      addVisible(seen, width, rows, first, weights, pitch, g, rowOut, dv, rowV, add);
    else gemmOf(true, false, seen, width, rows, weights, pitch, g, rowOut, dv, rowV, add, panel);
  }
}
