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

/** Σ x_i y_i over two vectors of one array, the terms added one after the other. */
export function dot(x: Float64Array, first: number, second: number, length: number, single: boolean): number {
  let sum = 0;
  if (single) {
    for (let i = 0; i < length; i++) sum = Math.fround(sum + Math.fround(x[first + i]! * x[second + i]!));
  } else {
    for (let i = 0; i < length; i++) sum += x[first + i]! * x[second + i]!;
  }
  return sum;
}

/**
 * Divides a vector by its norm √(Σ x_i²) and returns that norm. Entries are first scaled by a power of two, so that
 * their squares neither overflow nor vanish. A zero vector stays as it is.
 */
export function normalise(x: Float64Array, start: number, length: number, single: boolean): number {
  const greatest = greatestMagnitude(x, start, length);
  if (greatest === 0) return 0;
  const exponent = scaleExponent(greatest, single);
  const scale = powerOfTwo64(-exponent);
  for (let i = start; i < start + length; i++) x[i] = x[i]! * scale;
  const root = Math.sqrt(dot(x, start, start, length, single));
  const norm = single ? Math.fround(root) : root;
  for (let i = start; i < start + length; i++) {
    const quotient = x[i]! / norm;
    x[i] = single ? Math.fround(quotient) : quotient;
  }
  return norm * powerOfTwo64(exponent);
}
