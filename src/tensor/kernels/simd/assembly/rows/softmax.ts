// Softmax and its kin, and their gradients.
import { log4 } from "../math/log4";
import { dotOf, maxOf, sumOf } from "../reduction/fold";
import { expRow, NEAR } from "./exp-row";
import { extremes } from "./extremes";
import { MINUS_MULTIPLE, MINUS_TWICE, over, OVER, WEIGHTED } from "./passes";

/**
 * The largest element of a row. NaN may be left out where the others are finite: then the sum of exponentials is NaN anyway. The sign
 * of a 0 is of no matter: where zeros of both signs compete the sum is 2 at least, and its logarithm is not 0.
 */
// @ts-ignore: decorator
@inline
function maxFrom(both: v128, x: usize, n: i32): f32 {
  const rough = f32x4.extract_lane(both, 0);
  return Mathf.abs(rough) < Infinity ? rough : maxOf(x, n);
}

/** Whether no exponent lies below {@link NEAR}, NaN left out. */
// @ts-ignore: decorator
@inline
function isNear(both: v128, max: f32): bool {
  return f32x4.extract_lane(both, 1) - max >= NEAR;
}

// @ts-ignore: decorator
@inline
function log(x: f32): f32 {
  return f32x4.extract_lane(log4(f32x4.splat(x)), 0);
}

function fill(value: f32, out: usize, n: i32): void {
  for (const end = out + (<usize>n << 2); out < end; out += 4) store<f32>(out, value);
}

export function softmax(rows: i32, n: i32, x: usize, out: usize): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    const both = extremes(x, n);
    const max = maxFrom(both, x, n);
    if (max == -Infinity) fill(0, out, n);
    else over(OVER, out, out, out, expRow(isNear(both, max), x, n, max, out), out, n);
    x += step;
    out += step;
  }
}

export function logSoftmax(rows: i32, n: i32, x: usize, out: usize): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    const both = extremes(x, n);
    const max = maxFrom(both, x, n);
    if (max == -Infinity) fill(max, out, n);
    else {
      const total = log(expRow(isNear(both, max), x, n, max, out));
      over(MINUS_TWICE, x, x, x, max, out, n, total);
    }
    x += step;
    out += step;
  }
}

/** `scratch` has room for one row. */
export function logSumExp(rows: i32, n: i32, x: usize, out: usize, scratch: usize): void {
  for (let r = 0; r < rows; r++) {
    const both = extremes(x, n);
    const max = maxFrom(both, x, n);
    store<f32>(out, Mathf.abs(max) == Infinity ? max : max + log(expRow(isNear(both, max), x, n, max, scratch)));
    x += <usize>n << 2;
    out += 4;
  }
}

/** out = g·y − y·Σ g·y */
export function softmaxBackward(rows: i32, n: i32, y: usize, g: usize, out: usize): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    over(WEIGHTED, g, y, y, dotOf(g, y, n), out, n);
    y += step;
    g += step;
    out += step;
  }
}

/** out = g − eʸ·Σ g */
export function logSoftmaxBackward(rows: i32, n: i32, y: usize, g: usize, out: usize): void {
  const step = <usize>n << 2;
  for (let r = 0; r < rows; r++) {
    const total = sumOf(g, n);
    const both = extremes(y, n);
    expRow(isNear(both, 0) && f32x4.extract_lane(both, 0) <= 88, y, n, 0, out);
    over(MINUS_MULTIPLE, g, out, out, total, out, n);
    y += step;
    g += step;
    out += step;
  }
}
