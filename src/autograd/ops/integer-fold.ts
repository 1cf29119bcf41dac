import type { Along, ReduceOp, ScanOp } from "../../tensor/index.js";

/** Each reduction of int32 numbers as a step and what it starts from; sums and products wrap around at 32 bits. */
const folds: Record<ReduceOp, { readonly from: number; readonly step: (a: number, b: number) => number }> = {
  sum: { from: 0, step: (a, b) => (a + b) | 0 },
  prod: { from: 1, step: Math.imul },
  max: { from: -(2 ** 31), step: Math.max },
  min: { from: 2 ** 31 - 1, step: Math.min },
};

/** Reduces int32 or bool elements along the middle of `[outer, length, inner]`. */
export function integerReduce(
  name: ReduceOp,
  { outer, length, inner }: Along,
  x: ArrayLike<number>,
): Int32Array {
  const { from, step } = folds[name];
  const out = new Int32Array(outer * inner).fill(from);
  for (let o = 0, at = 0; o < outer; o++) {
    for (let i = 0; i < length; i++) {
      for (let to = o * inner; to < (o + 1) * inner; to++, at++) out[to] = step(out[to]!, x[at]!);
    }
  }
  return out;
}

/** Running sum or product of int32 elements along the middle of `[outer, length, inner]`. */
export function integerScan(name: ScanOp, { outer, length, inner }: Along, x: ArrayLike<number>): Int32Array {
  const { step } = folds[name];
  const out = new Int32Array(outer * length * inner);
  for (let o = 0, at = 0; o < outer; o++) {
    for (let i = 0; i < length; i++) {
      for (let j = 0; j < inner; j++, at++) out[at] = i === 0 ? x[at]! : step(out[at - inner]!, x[at]!);
    }
  }
  return out;
}
