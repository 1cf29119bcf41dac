// C = A·B, C += A·B or C = row + A·B for one pair of matrices, see product/gemm.ts; `row` is 0 or the address of a row that the
// products are added to in each row of C, `scratch` the address of 136 KiB.
import { gemmOfFewColumns, isOfFewColumns } from "./product/few-columns";
import { gemmOf, ROWS } from "./product/gemm";
import { fillRows } from "./product/fill-rows";
import { gemmOfCopies, isFarApart } from "./product/wide-stride";

export function product(
  transposeA: bool, transposeB: bool,
  m: i32, n: i32, k: i32, a: usize, lda: i32,
  b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, row: usize, scratch: usize,
): void {
  if (row != 0 && !transposeA) {
    // As many rows as the product goes through at once: it finds them in the cache.
    for (let i = 0; i < m; i += ROWS) {
      const rows = min(ROWS, m - i);
      const from = a + (<usize>(i * lda) << 2);
      const to = c + (<usize>(i * ldc) << 2);
      fillRows(rows, n, row, to, ldc);
      gemmOf(false, transposeB, rows, n, k, from, lda, b, ldb, to, ldc, true, scratch);
    }
    return;
  }
  if (row != 0) fillRows(m, n, row, c, ldc);
  const add = accumulate || row != 0;
  if (isOfFewColumns(transposeA, m, n, k))
    gemmOfFewColumns(transposeB, m, n, k, a, lda, b, ldb, c, ldc, add, scratch);
  else if (isFarApart(transposeA, k, lda))
    gemmOfCopies(transposeB, m, n, k, a, lda, b, ldb, c, ldc, add, scratch);
  else gemmOf(transposeA, transposeB, m, n, k, a, lda, b, ldb, c, ldc, add, scratch);
}
