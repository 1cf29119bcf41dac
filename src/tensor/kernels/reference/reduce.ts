import { allocate, type Floats } from "../../dtype.js";
import type { Along, ReduceOp } from "../kernels.js";

/** Long sums are cut into blocks of this many elements, which are then added pairwise. */
const block = 4096;

/** A block is summed in this many interleaved partial sums: lane j takes the elements i with i mod 16 = j. */
const lanes = 16;

/** The lanes that a block of `length` reaches, as a power of two: the others stay 0 and need not be added. */
function lanesFor(length: number): number {
  let count = 1;
  while (count < lanes && count < length) count *= 2;
  return count;
}

/** Where the larger half of the blocks ends. */
const middleOf = (length: number): number => Math.ceil(Math.ceil(length / block) / 2) * block;

const partial = { float32: new Float32Array(lanes), float64: new Float64Array(lanes) };

/** The sum of a block: interleaved partial sums, then halves are added until one is left. */
function sumBlock(x: Floats, start: number, length: number): number {
  const sums = x instanceof Float32Array ? partial.float32 : partial.float64;
  const used = lanesFor(length);
  sums.fill(0, 0, used);
  const whole = length - (length % lanes);
  for (let i = 0; i < whole; i += lanes) {
    for (let lane = 0; lane < lanes; lane++) sums[lane] = sums[lane]! + x[start + i + lane]!;
  }
  for (let i = whole; i < length; i++) sums[i - whole] = sums[i - whole]! + x[start + i]!;
  for (let half = used / 2; half >= 1; half /= 2) {
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
  const left = middleOf(length);
  const y = sumOf(x, start, left, single) + sumOf(x, start + left, length - left, single);
  return single ? Math.fround(y) : y;
}

/** {@link sumBlock} of every column of x `[length, inner]`, with a row of partial sums for each lane. */
function sumColumnsOfBlock(x: Floats, start: number, length: number, inner: number, out: Floats): void {
  const used = lanesFor(length);
  const sums = used === 1 ? out : allocate(out instanceof Float32Array ? "float32" : "float64", used * inner);
  if (used === 1) out.fill(0);
  for (let i = 0; i < length; i++) {
    const to = (i % lanes) * inner;
    const from = start + i * inner;
    for (let j = 0; j < inner; j++) sums[to + j] = sums[to + j]! + x[from + j]!;
  }
  for (let half = used / 2; half >= 1; half /= 2) {
    const end = half * inner;
    for (let at = 0; at < end; at++) sums[at] = sums[at]! + sums[at + end]!;
  }
  if (used > 1) out.set(sums.subarray(0, inner));
}

/** {@link sumOf} of every column of x `[length, inner]`: the same bits as if each column lay in one piece. */
function sumColumns(x: Floats, start: number, length: number, inner: number, out: Floats): void {
  if (length <= block) return sumColumnsOfBlock(x, start, length, inner, out);
  const left = middleOf(length);
  const right = out.slice();
  sumColumns(x, start, left, inner, out);
  sumColumns(x, start + left * inner, length - left, inner, right);
  for (let j = 0; j < inner; j++) out[j] = out[j]! + right[j]!;
}

function sum({ outer, length, inner }: Along, x: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  if (inner === 1) for (let o = 0; o < outer; o++) out[o] = sumOf(x, o * length, length, single);
  else
    for (let o = 0; o < outer; o++) {
      sumColumns(x, o * length * inner, length, inner, out.subarray(o * inner, (o + 1) * inner));
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
