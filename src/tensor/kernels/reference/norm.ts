import { allocate, type Floats } from "../../dtype.js";
import { exponent64, powerOfTwo64 } from "../../math/float-bits.js";
import { sumOf } from "./reduce.js";

/** The power of two at the largest magnitude of a row, kept in a range where its inverse is a power of two as well. */
function unitOf(x: Floats, start: number, length: number): number {
  let largest = 0;
  for (let i = start; i < start + length; i++) largest = Math.max(largest, Math.abs(x[i]!));
  return powerOfTwo64(Math.min(1022, Math.max(-1022, exponent64(largest))));
}

/**
 * √Σx² of each row of `length`. Squares are taken relative to a power of two, which rounds nothing, so that they neither
 * overflow nor vanish.
 */
export function norm(length: number, x: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  const squares = allocate(single ? "float32" : "float64", length);
  for (let row = 0; row < out.length; row++) {
    const start = row * length;
    const unit = unitOf(x, start, length);
    for (let i = 0; i < length; i++) squares[i] = (x[start + i]! / unit) ** 2;
    const root = Math.sqrt(sumOf(squares, 0, length, single));
    out[row] = (single ? Math.fround(root) : root) * unit;
  }
}
