import type { Floats } from "../dtype.js";
import { exponent64, powerOfTwo64 } from "../math/float-bits.js";

/** The greatest |x_i| of `length` entries from `start`; NaN where an entry is NaN. */
export function greatestMagnitude(x: Floats, start: number, length: number): number {
  let greatest = 0;
  for (let i = start; i < start + length; i++) greatest = Math.max(greatest, Math.abs(x[i]!));
  return greatest;
}

/** The exponent of the power of two nearest below `greatest`, kept to where its reciprocal is a normal number. */
export function scaleExponent(greatest: number, single: boolean): number {
  const limit = single ? 126 : 1022;
  return Math.max(-limit, Math.min(limit, exponent64(greatest)));
}

/**
 * Σ x[xAt + i]·y[yAt + i] over `length` entries: four partial sums s_m, each over the entries m, m + 4, m + 8, … in their
 * order, and then (s_0 + s_2) + (s_1 + s_3). With `single`, every operation is rounded to float32.
 */
export function dot(x: Floats, xAt: number, y: Floats, yAt: number, length: number, single: boolean): number {
  return single ? dot32(x, xAt, y, yAt, length) : dot64(x, xAt, y, yAt, length);
}

function dot32(x: Floats, xAt: number, y: Floats, yAt: number, length: number): number {
  const f = Math.fround;
  let s0 = length > 0 ? f(x[xAt]! * y[yAt]!) : 0;
  let s1 = length > 1 ? f(x[xAt + 1]! * y[yAt + 1]!) : 0;
  let s2 = length > 2 ? f(x[xAt + 2]! * y[yAt + 2]!) : 0;
  let s3 = length > 3 ? f(x[xAt + 3]! * y[yAt + 3]!) : 0;
  let i = 4;
  for (; i + 3 < length; i += 4) {
    s0 = f(s0 + f(x[xAt + i]! * y[yAt + i]!));
    s1 = f(s1 + f(x[xAt + i + 1]! * y[yAt + i + 1]!));
    s2 = f(s2 + f(x[xAt + i + 2]! * y[yAt + i + 2]!));
    s3 = f(s3 + f(x[xAt + i + 3]! * y[yAt + i + 3]!));
  }
  if (i < length) s0 = f(s0 + f(x[xAt + i]! * y[yAt + i]!));
  if (i + 1 < length) s1 = f(s1 + f(x[xAt + i + 1]! * y[yAt + i + 1]!));
  if (i + 2 < length) s2 = f(s2 + f(x[xAt + i + 2]! * y[yAt + i + 2]!));
  return f(f(s0 + s2) + f(s1 + s3));
}

function dot64(x: Floats, xAt: number, y: Floats, yAt: number, length: number): number {
  let s0 = length > 0 ? x[xAt]! * y[yAt]! : 0;
  let s1 = length > 1 ? x[xAt + 1]! * y[yAt + 1]! : 0;
  let s2 = length > 2 ? x[xAt + 2]! * y[yAt + 2]! : 0;
  let s3 = length > 3 ? x[xAt + 3]! * y[yAt + 3]! : 0;
  let i = 4;
  for (; i + 3 < length; i += 4) {
    s0 += x[xAt + i]! * y[yAt + i]!;
    s1 += x[xAt + i + 1]! * y[yAt + i + 1]!;
    s2 += x[xAt + i + 2]! * y[yAt + i + 2]!;
    s3 += x[xAt + i + 3]! * y[yAt + i + 3]!;
  }
  if (i < length) s0 += x[xAt + i]! * y[yAt + i]!;
  if (i + 1 < length) s1 += x[xAt + i + 1]! * y[yAt + i + 1]!;
  if (i + 2 < length) s2 += x[xAt + i + 2]! * y[yAt + i + 2]!;
  return s0 + s2 + (s1 + s3);
}

/**
 * Multiplies a vector by one over its norm √(Σ x_i²) and returns that norm. Entries are first scaled by a power of two,
 * so that their squares neither overflow nor vanish. A zero vector stays as it is.
 */
export function normalise(x: Float64Array, start: number, length: number, single: boolean): number {
  const greatest = greatestMagnitude(x, start, length);
  if (greatest === 0) return 0;
  const exponent = scaleExponent(greatest, single);
  const scale = powerOfTwo64(-exponent);
  for (let i = start; i < start + length; i++) {
    const scaled = x[i]! * scale;
    x[i] = single ? Math.fround(scaled) : scaled;
  }
  const root = Math.sqrt(dot(x, start, x, start, length, single));
  const norm = single ? Math.fround(root) : root;
  const inverse = single ? Math.fround(1 / norm) : 1 / norm;
  for (let i = start; i < start + length; i++) {
    const share = x[i]! * inverse;
    x[i] = single ? Math.fround(share) : share;
  }
  const whole = norm * powerOfTwo64(exponent);
  return single ? Math.fround(whole) : whole;
}
