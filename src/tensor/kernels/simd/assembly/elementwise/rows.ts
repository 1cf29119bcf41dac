import { apply } from "./arithmetic";
import { storeSome } from "./tail";

/** Vector `i` of a row, or its first number four times when the row is broadcast along its length. */
// @ts-ignore: decorator
@inline
function read(along: bool, row: usize, offset: usize, first: v128): v128 {
  return along ? v128.load(row + offset) : first;
}

/** One row of n results; `alongA`, `alongB`: whether the operand has a number for each, or one for all. */
// @ts-ignore: decorator
@inline
function row(op: i32, alongA: bool, alongB: bool, a: usize, b: usize, out: usize, n: i32): void {
  const firstA = v128.load32_splat(a);
  const firstB = v128.load32_splat(b);
  let i: usize = 0;
  for (const end = <usize>(n & ~7) << 2; i < end; i += 32) {
    const low = apply(op, read(alongA, a, i, firstA), read(alongB, b, i, firstB));
    const high = apply(op, read(alongA, a, i + 16, firstA), read(alongB, b, i + 16, firstB));
    v128.store(out + i, low);
    v128.store(out + i, high, 16);
  }
  if (n & 4) {
    v128.store(out + i, apply(op, read(alongA, a, i, firstA), read(alongB, b, i, firstB)));
    i += 16;
  }
  // The last vectors are read beyond the end, which the arena allows, and written up to it.
  if (n & 3) {
    storeSome(out + i, apply(op, read(alongA, a, i, firstA), read(alongB, b, i, firstB)), n & 3);
  }
}

/**
 * out[i, j] = a[i·rowsA + j·stepA] op b[i·rowsB + j·stepB] for `rows` rows of n results, in numbers; steps are 0 or 1, and a
 * step of 0 between rows repeats one.
 */
// @ts-ignore: decorator
@inline
export function rowsOf(
  op: i32,
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  const strideA = rowsA << 2;
  const strideB = rowsB << 2;
  const stride = <usize>n << 2;
  const end = out + <usize>rows * stride;
  if (stepA && stepB) {
    for (; out < end; out += stride, a += strideA, b += strideB) row(op, true, true, a, b, out, n);
  } else if (stepA) {
    for (; out < end; out += stride, a += strideA, b += strideB) row(op, true, false, a, b, out, n);
  } else if (stepB) {
    for (; out < end; out += stride, a += strideA, b += strideB) row(op, false, true, a, b, out, n);
  } else {
    for (; out < end; out += stride, a += strideA, b += strideB) row(op, false, false, a, b, out, n);
  }
}
