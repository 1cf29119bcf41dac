import { allocate, type Floats } from "../../dtype.js";
import type { ProductLayout } from "../kernels.js";

/** The sum over k is cut into blocks of this many terms; blocks are added in order. */
const block = 256;

/** out `[columns, rows]` = the transpose of x `[rows, columns]` at `offset`. */
function packTransposed(x: Floats, offset: number, rows: number, columns: number, out: Floats): void {
  for (let i = 0; i < rows; i++) {
    for (let j = 0, at = offset + i * columns; j < columns; j++, at++) out[j * rows + i] = x[at]!;
  }
}

/**
 * Four rows of A `[·, k]` with one row of Bᵀ `[n, k]`: the sums over k from `from` to `to`, each in one accumulator.
 * The results are left in `sums`.
 */
function dot4(
  a: Floats,
  at: number,
  k: number,
  b: Floats,
  bt: number,
  from: number,
  to: number,
  sums: Floats,
): void {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  const a1 = at + k;
  const a2 = a1 + k;
  const a3 = a2 + k;
  if (a instanceof Float32Array && b instanceof Float32Array) {
    for (let p = from; p < to; p++) {
      const y = b[bt + p]!;
      s0 = Math.fround(s0 + Math.fround(a[at + p]! * y));
      s1 = Math.fround(s1 + Math.fround(a[a1 + p]! * y));
      s2 = Math.fround(s2 + Math.fround(a[a2 + p]! * y));
      s3 = Math.fround(s3 + Math.fround(a[a3 + p]! * y));
    }
  } else {
    for (let p = from; p < to; p++) {
      const y = b[bt + p]!;
      s0 += a[at + p]! * y;
      s1 += a[a1 + p]! * y;
      s2 += a[a2 + p]! * y;
      s3 += a[a3 + p]! * y;
    }
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}

/** One row of A with one row of Bᵀ. */
function dot1(
  a: Floats,
  at: number,
  b: Floats,
  bt: number,
  from: number,
  to: number,
  single: boolean,
): number {
  let s = 0;
  if (single) for (let p = from; p < to; p++) s = Math.fround(s + Math.fround(a[at + p]! * b[bt + p]!));
  else for (let p = from; p < to; p++) s += a[at + p]! * b[bt + p]!;
  return s;
}

const scratch = { float32: new Float32Array(4), float64: new Float64Array(4) };

/**
 * A batch of matrix products. Every element of the result is one running sum over k in blocks of 256, products and
 * sums rounded one by one, so that all storage orders of A and B give the same bits. B is brought into rows of `k` first, and A too
 * when it is stored transposed.
 */
export function product(layout: ProductLayout, a: Floats, b: Floats, out: Floats): void {
  const { m, k, n, transposeA, transposeB, offsetsA, offsetsB } = layout;
  const single = out instanceof Float32Array;
  const dtype = single ? "float32" : "float64";
  const sums = single ? scratch.float32 : scratch.float64;
  const packedA = transposeA ? allocate(dtype, m * k) : undefined;
  const packedB = transposeB ? undefined : allocate(dtype, n * k);
  let packedOffsetB = -1;
  out.fill(0);
  for (let batch = 0; batch < offsetsA.length; batch++) {
    let rowsA = a;
    let startA = offsetsA[batch]!;
    if (packedA) {
      packTransposed(a, startA, k, m, packedA);
      rowsA = packedA;
      startA = 0;
    }
    let rowsB = b;
    let startB = offsetsB[batch]!;
    if (packedB) {
      if (startB !== packedOffsetB) packTransposed(b, startB, k, n, packedB);
      packedOffsetB = startB;
      rowsB = packedB;
      startB = 0;
    }
    const to = batch * m * n;
    for (let from = 0; from < k; from += block) {
      const end = Math.min(from + block, k);
      let i = 0;
      for (; i + 4 <= m; i += 4) {
        for (let j = 0; j < n; j++) {
          dot4(rowsA, startA + i * k, k, rowsB, startB + j * k, from, end, sums);
          const at = to + i * n + j;
          out[at] = out[at]! + sums[0]!;
          out[at + n] = out[at + n]! + sums[1]!;
          out[at + 2 * n] = out[at + 2 * n]! + sums[2]!;
          out[at + 3 * n] = out[at + 3 * n]! + sums[3]!;
        }
      }
      for (; i < m; i++) {
        for (let j = 0; j < n; j++) {
          const at = to + i * n + j;
          out[at] = out[at]! + dot1(rowsA, startA + i * k, rowsB, startB + j * k, from, end, single);
        }
      }
    }
  }
}
