import { four, ONE } from "../math/constant";
import { count4, expm1Rest4, rest4, rounded4 } from "../math/exp-reduction";
import { halves, SUM } from "../reduction/fold";
import { hideRow, keysBefore } from "./visible";

/** A row's total is that of its pieces of this many weights, added in order. */
const PIECE = 4096;

const LEAST = memory.data<f32>([-104]);
/** What takes the bits of n to those of 2^(n + 100), and 2^−100. */
const RAISED = memory.data<i32>([227 << 23]);
const DOWN = memory.data<f32>([7.888609052210118e-31]);

/**
 * exp32 of four lanes that are at most 0, or NaN. 2^(n + 100) and a product with it are normal, so that the
 * last product rounds once where the result is subnormal.
 */
// @ts-ignore: decorator
@inline
function expBelow4(x: v128): v128 {
  const bounded = f32x4.pmax(x, four(LEAST));
  const rounded = rounded4(bounded);
  const y = f32x4.add(four(ONE), expm1Rest4(rest4(bounded, count4(rounded))));
  const raised = f32x4.mul(y, i32x4.add(i32x4.shl(rounded, 23), four(RAISED)));
  return f32x4.mul(raised, four(DOWN));
}

/**
 * In place: the weights of `rows` queries from their scores `[rows, pitch]`, of which the first n (a
 * multiple of 16) count; those that order of time or a flag hides become 0. In three passes over all rows,
 * so that no row waits for its own largest score or total. `figures` has room for a vector of each row.
 */
export function softmaxRows(
  plan: usize, first: i32, rows: i32, x: usize, pitch: i32, n: i32, figures: usize,
): void {
  const down = <usize>pitch << 2;
  const length = <usize>n << 2;
  let row = x;
  for (let i = 0; i < rows; i++, row += down) {
    const visible = keysBefore(plan, first + i + 1);
    for (let j = visible; j < n; j++) store<f32>(row + (<usize>j << 2), -Infinity);
    hideRow(first + i, row, visible, -Infinity);
    v128.store(figures + (<usize>i << 4), largest(row, row + length));
  }
  row = x;
  for (let i = 0; i < rows; i++, row += down) {
    const figure = figures + (<usize>i << 4);
    exponentials(row, row + length, v128.load(figure));
    const total = totalOf(row, row + length);
    // Nothing is visible: all are 0 and stay so.
    let factor: f32 = total == 0 ? 0 : 1 / total;
    if (total != total) {
      const visible = keysBefore(plan, first + i + 1);
      for (let j = 0; j < visible; j++) store<f32>(row + (<usize>j << 2), NaN);
      for (let j = visible; j < n; j++) store<f32>(row + (<usize>j << 2), 0);
      hideRow(first + i, row, visible, 0);
      factor = 1;
    }
    v128.store(figure, f32x4.splat(factor));
  }
  row = x;
  for (let i = 0; i < rows; i++, row += down) {
    const factor = v128.load(figures + (<usize>i << 4));
    let at = row;
    for (const end = row + length; at < end; at += 64) {
      v128.store(at, f32x4.mul(v128.load(at), factor));
      v128.store(at, f32x4.mul(v128.load(at, 16), factor), 16);
      v128.store(at, f32x4.mul(v128.load(at, 32), factor), 32);
      v128.store(at, f32x4.mul(v128.load(at, 48), factor), 48);
    }
  }
}

/** The largest of a row in all lanes, 0 where all are −∞; NaN is passed over, and comes back in the total. */
// @ts-ignore: decorator
@inline
function largest(row: usize, end: usize): v128 {
  let a = f32x4.splat(-Infinity);
  let b = a;
  let c = a;
  let d = a;
  for (let at = row; at < end; at += 64) {
    a = f32x4.pmax(a, v128.load(at));
    b = f32x4.pmax(b, v128.load(at, 16));
    c = f32x4.pmax(c, v128.load(at, 32));
    d = f32x4.pmax(d, v128.load(at, 48));
  }
  a = f32x4.pmax(f32x4.pmax(a, c), f32x4.pmax(b, d));
  a = f32x4.pmax(a, i32x4.shuffle(a, a, 2, 3, 0, 1));
  a = f32x4.pmax(a, i32x4.shuffle(a, a, 1, 0, 3, 2));
  return v128.andnot(a, f32x4.eq(a, f32x4.splat(-Infinity)));
}

/** Σ of a row, in pieces. */
// @ts-ignore: decorator
@inline
function totalOf(row: usize, end: usize): f32 {
  let total: f32 = 0;
  for (let at = row; at < end; ) {
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (const last = min(end, at + (PIECE << 2)); at < last; at += 64) {
      a = f32x4.add(a, v128.load(at));
      b = f32x4.add(b, v128.load(at, 16));
      c = f32x4.add(c, v128.load(at, 32));
      d = f32x4.add(d, v128.load(at, 48));
    }
    total += halves(SUM, f32x4.add(f32x4.add(a, c), f32x4.add(b, d)));
  }
  return total;
}

/**
 * In place exp32(x − max), and nothing else: with sums kept here as well the registers run out (measured:
 * half as long again).
 */
// @ts-ignore: decorator
@inline
function exponentials(row: usize, end: usize, max: v128): void {
  for (let at = row; at < end; at += 64) {
    const a = expBelow4(f32x4.sub(v128.load(at), max));
    const b = expBelow4(f32x4.sub(v128.load(at, 16), max));
    const c = expBelow4(f32x4.sub(v128.load(at, 32), max));
    const d = expBelow4(f32x4.sub(v128.load(at, 48), max));
    v128.store(at, a);
    v128.store(at, b, 16);
    v128.store(at, c, 32);
    v128.store(at, d, 48);
  }
}
