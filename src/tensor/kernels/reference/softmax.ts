import type { Floats } from "../../dtype.js";
import { exp32, log32 } from "../../math/index.js";
import { sumOf } from "./reduce.js";

function rowMax(x: Floats, start: number, length: number): number {
  let max = -Infinity;
  for (let i = start; i < start + length; i++) max = Math.max(max, x[i]!);
  return max;
}

/** Writes e^{x−max} into out and returns the sum, in the order of every other sum. */
function shiftedExp(
  x: Floats,
  start: number,
  length: number,
  max: number,
  out: Floats,
  single: boolean,
): number {
  const end = start + length;
  if (single) for (let i = start; i < end; i++) out[i] = exp32(Math.fround(x[i]! - max));
  else for (let i = start; i < end; i++) out[i] = Math.exp(x[i]! - max);
  return sumOf(out, start, length, single);
}

/** Softmax of each row of `length`: e^{x−max}/Σe^{x−max}; a row of −∞ gives zeros. */
export function softmax(length: number, x: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  for (let start = 0; start < x.length; start += length) {
    const max = rowMax(x, start, length);
    if (max === -Infinity) {
      out.fill(0, start, start + length);
      continue;
    }
    const total = shiftedExp(x, start, length, max, out, single);
    for (let i = start; i < start + length; i++) out[i] = out[i]! / total;
  }
}

/** The logarithm of the sum of exponentials of one row; `scratch` receives the exponentials. */
function logSumExpRow(x: Floats, start: number, length: number, scratch: Floats, single: boolean): number {
  const max = rowMax(x, start, length);
  if (max === -Infinity || max === Infinity) return max;
  const total = shiftedExp(x, start, length, max, scratch, single);
  return single ? Math.fround(max + log32(total)) : max + Math.log(total);
}

/** Log-softmax of each row: (x − max) − log Σe^{x−max}, so that huge equal logits lose nothing; a row of −∞ stays −∞. */
export function logSoftmax(length: number, x: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  for (let start = 0; start < x.length; start += length) {
    const max = rowMax(x, start, length);
    if (max === -Infinity) {
      out.fill(-Infinity, start, start + length);
      continue;
    }
    const total = shiftedExp(x, start, length, max, out, single);
    const log = single ? log32(total) : Math.log(total);
    for (let i = start; i < start + length; i++)
      out[i] = single ? Math.fround(x[i]! - max) - log : x[i]! - max - log;
  }
}

/** Log of the sum of exponentials of each row of `length`; ±∞ where the largest entry is. */
export function logSumExp(length: number, x: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  const scratch = x.slice();
  for (let row = 0; row < out.length; row++)
    out[row] = logSumExpRow(x, row * length, length, scratch, single);
}
