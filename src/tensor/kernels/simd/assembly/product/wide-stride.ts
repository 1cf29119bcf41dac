import { panelOfColumns, SCRATCH, TERMS } from "./gemm";
import { packColumns, packTransposed } from "./pack";

/** Columns of a stored A that are copied together, in groups of 16, one line of the cache. */
const WIDTH = 128;
const GROUP = 16;
/** The bytes of room that {@link gemmOfCopies} needs for them. */
export const COPY = TERMS * WIDTH * 4;

/**
 * Bytes from one row of a stored A to the next beyond which its rows push each other out of the first cache.
 */
const FAR = 512;

/** Whether {@link gemmOfCopies} is to be used. */
// @ts-ignore: decorator
@inline
export function isFarApart(transposeA: bool, k: i32, lda: i32): bool {
  return transposeA && lda * 4 >= FAR && k >= GROUP;
}

/** Copies `terms` rows of 16 numbers, `step` bytes apart, to `[terms, 16]`. */
function copyGroup(terms: i32, from: usize, step: usize, to: usize): void {
  for (const end = to + <usize>terms * (GROUP << 2); to < end; to += GROUP << 2, from += step) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    v128.store(to, v128.load(from, 32), 32);
    v128.store(to, v128.load(from, 48), 48);
  }
}

/**
 * C = or += Aᵀ·B, as `gemmOf` with `transposeA`, by way of copies of A in which the factors of neighbouring
 * terms are neighbours. `scratch` is the address of SCRATCH + COPY bytes, 136 KiB. Up to 60 bytes past the
 * end of A may be read.
 */
export function gemmOfCopies(
  transposeB: bool,
  m: i32, n: i32, k: i32, a: usize, lda: i32,
  b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize,
): void {
  const copies = scratch + SCRATCH;
  const stepA = <usize>lda << 2;
  const stepB = <usize>ldb << 2;
  const below = <usize>ldc << 2;
  for (let p = 0; p < k; p += TERMS) {
    const terms = min(TERMS, k - p);
    const bytes = <usize>terms * (GROUP << 2);
    const add = accumulate || p > 0;
    for (let i = 0; i < m; i += WIDTH) {
      const rows = min(WIDTH, m - i);
      let group = copies;
      for (let g = 0; g < rows; g += GROUP, group += bytes)
        copyGroup(terms, a + (<usize>(p * lda + i + g) << 2), stepA, group);
      for (let j = 0; j < n; j += 8) {
        const columns = min(8, n - j);
        const right = b + (<usize>(transposeB ? j * ldb + p : p * ldb + j) << 2);
        if (transposeB) packTransposed(terms, right, stepB, columns, scratch);
        else packColumns(terms, right, stepB, scratch);
        let to = c + <usize>i * below + (<usize>j << 2);
        group = copies;
        for (let g = 0; g < rows; g += GROUP, group += bytes, to += <usize>GROUP * below)
          panelOfColumns(
            min(GROUP, rows - g), columns, terms, group, GROUP << 2, scratch, 32, to, below, add,
          );
      }
    }
  }
}
