import type { Floats } from "../../dtype.js";

/** A matrix inside an array: entry (i, j) stands at start + i·down + j·across. */
export interface Walk {
  readonly start: number;
  readonly down: number;
  readonly across: number;
}

/** One block of one product: out[start + i·n + j] gains Σ A(i, p)·B(p, j) over p from `from` to `to`. */
export interface Block {
  readonly a: Floats;
  readonly left: Walk;
  readonly b: Floats;
  readonly right: Walk;
  readonly out: Floats;
  readonly start: number;
  readonly n: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Eight neighbouring results at once, rows i … i+3 and columns j, j+1, each in an accumulator of its own. A product is bound
 * by reading; each number read here serves two or four sums.
 */
export type Tile = (product: Block, i: number, j: number) => void;

/** {@link Tile} in float32: products and sums are rounded one by one. */
export const tile32: Tile = ({ a, left, b, right, out, start, n, from, to }, i, j) => {
  const { down, across } = left;
  const { down: step, across: next } = right;
  let s00 = 0;
  let s01 = 0;
  let s10 = 0;
  let s11 = 0;
  let s20 = 0;
  let s21 = 0;
  let s30 = 0;
  let s31 = 0;
  let a0 = left.start + i * down + from * across;
  let a1 = a0 + down;
  let a2 = a1 + down;
  let a3 = a2 + down;
  let bp = right.start + from * step + j * next;
  for (let p = from; p < to; p++) {
    const x = b[bp]!;
    const y = b[bp + next]!;
    let value = a[a0]!;
    s00 = Math.fround(s00 + Math.fround(value * x));
    s01 = Math.fround(s01 + Math.fround(value * y));
    value = a[a1]!;
    s10 = Math.fround(s10 + Math.fround(value * x));
    s11 = Math.fround(s11 + Math.fround(value * y));
    value = a[a2]!;
    s20 = Math.fround(s20 + Math.fround(value * x));
    s21 = Math.fround(s21 + Math.fround(value * y));
    value = a[a3]!;
    s30 = Math.fround(s30 + Math.fround(value * x));
    s31 = Math.fround(s31 + Math.fround(value * y));
    a0 += across;
    a1 += across;
    a2 += across;
    a3 += across;
    bp += step;
  }
  const at = start + i * n + j;
  addPair(out, at, s00, s01);
  addPair(out, at + n, s10, s11);
  addPair(out, at + 2 * n, s20, s21);
  addPair(out, at + 3 * n, s30, s31);
};

/** {@link Tile} in float64. */
export const tile64: Tile = ({ a, left, b, right, out, start, n, from, to }, i, j) => {
  const { down, across } = left;
  const { down: step, across: next } = right;
  let s00 = 0;
  let s01 = 0;
  let s10 = 0;
  let s11 = 0;
  let s20 = 0;
  let s21 = 0;
  let s30 = 0;
  let s31 = 0;
  let a0 = left.start + i * down + from * across;
  let a1 = a0 + down;
  let a2 = a1 + down;
  let a3 = a2 + down;
  let bp = right.start + from * step + j * next;
  for (let p = from; p < to; p++) {
    const x = b[bp]!;
    const y = b[bp + next]!;
    let value = a[a0]!;
    s00 += value * x;
    s01 += value * y;
    value = a[a1]!;
    s10 += value * x;
    s11 += value * y;
    value = a[a2]!;
    s20 += value * x;
    s21 += value * y;
    value = a[a3]!;
    s30 += value * x;
    s31 += value * y;
    a0 += across;
    a1 += across;
    a2 += across;
    a3 += across;
    bp += step;
  }
  const at = start + i * n + j;
  addPair(out, at, s00, s01);
  addPair(out, at + n, s10, s11);
  addPair(out, at + 2 * n, s20, s21);
  addPair(out, at + 3 * n, s30, s31);
};

function addPair(out: Floats, at: number, first: number, second: number): void {
  out[at] = out[at]! + first;
  out[at + 1] = out[at + 1]! + second;
}

/** One result. */
export function single({ a, left, b, right, out, start, n, from, to }: Block, i: number, j: number): void {
  const rounded = out instanceof Float32Array;
  let sum = 0;
  let ap = left.start + i * left.down + from * left.across;
  let bp = right.start + from * right.down + j * right.across;
  for (let p = from; p < to; p++, ap += left.across, bp += right.down) {
    const term = a[ap]! * b[bp]!;
    sum = rounded ? Math.fround(sum + Math.fround(term)) : sum + term;
  }
  const at = start + i * n + j;
  out[at] = out[at]! + sum;
}
