import { allocate, type Floats } from "../../dtype.js";
import type { AttentionArrays, AttentionLayout, HeadRows } from "../attention-layout.js";
import { exp32 } from "../../math/index.js";
import { product } from "./product.js";
import { sumOf } from "./reduce.js";

/** The terms of a sum over keys or queries that are added in one piece, as in every product. */
const terms = 256;

/** A row's total is that of its pieces of this many weights, each summed as any sum is, added in order. */
const piece = 4096;

/** A matrix of its own. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Floats;
}

export function matrix(rows: number, columns: number, like: Floats): Matrix {
  const data = allocate(like instanceof Float32Array ? "float32" : "float64", rows * columns);
  return { rows, columns, data };
}

const offsetOf = (at: HeadRows, b: number, h: number, from: number): number =>
  at.start + b * at.batch + h * at.head + from * at.row;

/** A copy of the rows from … to − 1 of a head. */
export function rowsOf(
  x: Floats,
  at: HeadRows,
  [b, h]: readonly [number, number],
  [from, to]: readonly [number, number],
  columns: number,
): Matrix {
  const out = matrix(to - from, columns, x);
  const start = offsetOf(at, b, h, from);
  for (let i = 0; i < out.rows; i++)
    for (let j = 0; j < columns; j++) out.data[i * columns + j] = x[start + i * at.row + j]!;
  return out;
}

/** Writes a matrix to the rows of a head that begin with `from`. */
export function writeRows(
  x: Matrix,
  out: Floats,
  at: HeadRows,
  [b, h]: readonly [number, number],
  from: number,
): void {
  const start = offsetOf(at, b, h, from);
  for (let i = 0; i < x.rows; i++)
    for (let j = 0; j < x.columns; j++) out[start + i * at.row + j] = x.data[i * x.columns + j]!;
}

/** In place: x·factor. */
export function scaleBy(x: Matrix, factor: number): Matrix {
  for (let i = 0; i < x.data.length; i++) x.data[i] = x.data[i]! * factor;
  return x;
}

/** In place: x + y. */
export function addTo(x: Matrix, y: Matrix): void {
  for (let i = 0; i < x.data.length; i++) x.data[i] = x.data[i]! + y.data[i]!;
}

/** 1/√features in the precision of the type. */
export function scoreScale(features: number, like: Floats): number {
  const scale = 1 / Math.sqrt(features);
  return like instanceof Float32Array ? Math.fround(scale) : scale;
}

/** For the queries from … to − 1 whether each key is hidden, 1 or 0 `[queries, keys]`; undefined when none can be. */
export function hiddenPairs(
  layout: AttentionLayout,
  { hidden }: AttentionArrays,
  [b, h]: readonly [number, number],
  [from, to]: readonly [number, number],
): Uint8Array | undefined {
  const { keys, mask, causal } = layout;
  if (!mask && !causal) return undefined;
  const flags = new Uint8Array((to - from) * keys);
  for (let i = from; i < to; i++) {
    for (let j = 0; j < keys; j++) {
      const masked = mask && hidden![b * mask.batch + h * mask.head + i * mask.row + j * mask.column] !== 0;
      if (masked || (causal && j > i)) flags[(i - from) * keys + j] = 1;
    }
  }
  return flags;
}

/** In place: 0 where hidden. */
export function hide({ data }: Matrix, hidden: Uint8Array | undefined): void {
  if (hidden) for (let i = 0; i < data.length; i++) if (hidden[i] !== 0) data[i] = 0;
}

/** a·bᵀ */
export function timesTransposed(a: Matrix, b: Matrix): Matrix {
  const out = matrix(a.rows, b.rows, a.data);
  multiply(out, a, b, false, true);
  return out;
}

function multiply(out: Matrix, a: Matrix, b: Matrix, transposeA: boolean, transposeB: boolean): void {
  const k = transposeA ? a.rows : a.columns;
  const first = Int32Array.of(0);
  if (out.data.length === 0) return;
  product(
    { m: out.rows, k, n: out.columns, transposeA, transposeB, offsetsA: first, offsetsB: first },
    a.data,
    b.data,
    out.data,
  );
}

/**
 * weights·values, or weightsᵀ·values, where a hidden pair takes no part whatever its value: an ordinary product would make NaN of
 * 0·NaN and 0·∞. The same bits as with zeros in the hidden places.
 */
export function visibleProduct(
  weights: Matrix,
  values: Matrix,
  hidden: Uint8Array | undefined,
  transposed: boolean,
): Matrix {
  const out = matrix(transposed ? weights.columns : weights.rows, values.columns, values.data);
  if (!hidden || values.data.every(Number.isFinite)) {
    multiply(out, weights, values, transposed, false);
    return out;
  }
  const single = out.data instanceof Float32Array;
  const [down, across] = transposed ? [1, weights.columns] : [weights.columns, 1];
  const n = values.columns;
  for (let i = 0; i < out.rows; i++) {
    for (let j = 0; j < n; j++) {
      for (let start = 0; start < values.rows; start += terms) {
        let sum = 0;
        for (let p = start; p < Math.min(start + terms, values.rows); p++) {
          const at = i * down + p * across;
          if (hidden[at] !== 0) continue;
          const term = weights.data[at]! * values.data[p * n + j]!;
          sum = single ? Math.fround(sum + Math.fround(term)) : sum + term;
        }
        out.data[i * n + j] = out.data[i * n + j]! + sum;
      }
    }
  }
  return out;
}

/** In place, each row: e^{x−max}·(1/Σe^{x−max}), 0 where hidden and in a row where all is. */
export function softmaxRows(x: Matrix, hidden: Uint8Array | undefined): void {
  const { rows, columns, data } = x;
  const single = data instanceof Float32Array;
  for (let start = 0; start < rows * columns; start += columns) {
    const end = start + columns;
    let max = -Infinity;
    for (let i = start; i < end; i++) {
      if (hidden && hidden[i] !== 0) data[i] = -Infinity;
      max = Math.max(max, data[i]!);
    }
    if (max === -Infinity) {
      data.fill(0, start, end);
      continue;
    }
    for (let i = start; i < end; i++) {
      data[i] = single ? exp32(Math.fround(data[i]! - max)) : Math.exp(data[i]! - max);
    }
    const factor = 1 / totalOf(data, start, columns, single);
    for (let i = start; i < end; i++) data[i] = data[i]! * (single ? Math.fround(factor) : factor);
  }
  hide(x, hidden);
}

function totalOf(x: Floats, start: number, length: number, single: boolean): number {
  let total = 0;
  for (let at = 0; at < length; at += piece) {
    const next = total + sumOf(x, start + at, Math.min(piece, length - at), single);
    total = single ? Math.fround(next) : next;
  }
  return total;
}

/** In place: w·(d − Σ g·y) with g and y the row of the cotangent and of the result; 0 where hidden. */
export function scoreCotangents(
  weights: Matrix,
  d: Matrix,
  g: Matrix,
  out: Matrix,
  hidden: Uint8Array | undefined,
): void {
  const { rows, columns, data } = d;
  const single = data instanceof Float32Array;
  const terms = matrix(1, g.columns, g.data).data;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < g.columns; j++) terms[j] = g.data[i * g.columns + j]! * out.data[i * g.columns + j]!;
    const mean = sumOf(terms, 0, g.columns, single);
    for (let at = i * columns; at < (i + 1) * columns; at++) {
      const apart = data[at]! - mean;
      data[at] = weights.data[at]! * (single ? Math.fround(apart) : apart);
    }
  }
  hide(d, hidden);
}
