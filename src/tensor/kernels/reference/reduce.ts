import type { Floats } from "../../dtype.js";
import type { Along, ReduceOp } from "../kernels.js";

/** Long sums are cut into blocks of this many elements, which are then added pairwise. */
const block = 4096;

/** A block is summed in this many interleaved partial sums: lane j takes the elements i with i mod 16 = j. */
const lanes = 16;

const partial = { float32: new Float32Array(lanes), float64: new Float64Array(lanes) };

/** The sum of a block: sixteen interleaved partial sums, then halves are added until one is left. */
function sumBlock(x: Floats, start: number, length: number): number {
  const sums = x instanceof Float32Array ? partial.float32 : partial.float64;
  sums.fill(0);
  const whole = length - (length % lanes);
  for (let i = 0; i < whole; i += lanes) {
    for (let lane = 0; lane < lanes; lane++) sums[lane] = sums[lane]! + x[start + i + lane]!;
  }
  for (let i = whole; i < length; i++) sums[i - whole] = sums[i - whole]! + x[start + i]!;
  for (let half = lanes / 2; half >= 1; half /= 2) {
    for (let lane = 0; lane < half; lane++) sums[lane] = sums[lane]! + sums[lane + half]!;
  }
  return sums[0]!;
}

/**
 * The sum of `length` neighbours. Blocks are added pairwise: the first half (rounded up) of them, then the rest, each by
 * the same rule.
 */
export function sumOf(x: Floats, start: number, length: number, single: boolean): number {
  if (length <= block) return sumBlock(x, start, length);
  const blocks = Math.ceil(length / block);
  const left = Math.ceil(blocks / 2) * block;
  const y = sumOf(x, start, left, single) + sumOf(x, start + left, length - left, single);
  return single ? Math.fround(y) : y;
}

/** Sums down columns: out[j] += Σ_i x[i, j] over rows `from`…`to`, in order. */
function sumRowsInOrder(
  x: Floats,
  offset: number,
  from: number,
  to: number,
  inner: number,
  out: Floats,
): void {
  for (let i = from; i < to; i++) {
    const row = offset + i * inner;
    for (let j = 0; j < inner; j++) out[j] = out[j]! + x[row + j]!;
  }
}

/** The pairwise rule for columns; `out` is cleared first. */
function sumRows(x: Floats, offset: number, from: number, to: number, inner: number, out: Floats): void {
  out.fill(0);
  if (to - from <= block) {
    sumRowsInOrder(x, offset, from, to, inner, out);
    return;
  }
  const middle = from + Math.ceil(Math.ceil((to - from) / block) / 2) * block;
  const right = out.slice();
  sumRows(x, offset, from, middle, inner, out);
  sumRows(x, offset, middle, to, inner, right);
  for (let j = 0; j < inner; j++) out[j] = out[j]! + right[j]!;
}

function sum({ outer, length, inner }: Along, x: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  if (inner === 1) for (let o = 0; o < outer; o++) out[o] = sumOf(x, o * length, length, single);
  else
    for (let o = 0; o < outer; o++) {
      sumRows(x, o * length * inner, 0, length, inner, out.subarray(o * inner, (o + 1) * inner));
    }
}

function fold(
  along: Along,
  x: Floats,
  out: Floats,
  initial: number,
  step: (a: number, b: number) => number,
): void {
  const { outer, length, inner } = along;
  out.fill(initial);
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < length; i++) {
      const row = (o * length + i) * inner;
      for (let j = 0; j < inner; j++) out[o * inner + j] = step(out[o * inner + j]!, x[row + j]!);
    }
  }
}

/** Reduces along the middle axis of `[outer, length, inner]`; NaN wins a max or min. */
export function reduce(op: ReduceOp, along: Along, x: Floats, out: Floats): void {
  switch (op) {
    case "sum":
      return sum(along, x, out);
    case "prod":
      return fold(along, x, out, 1, (a, b) => a * b);
    case "max":
      return fold(along, x, out, -Infinity, Math.max);
    case "min":
      return fold(along, x, out, Infinity, Math.min);
  }
}
