// C = A·B or C += A·B for one pair of matrices, see product/gemm.ts; `scratch` is the address of 136 KiB.
import { gemmOfFewColumns, isOfFewColumns } from "./product/few-columns";
import { gemmOf } from "./product/gemm";
import { gemmOfCopies, isFarApart } from "./product/wide-stride";

export function product(
  transposeA: bool, transposeB: bool,
  m: i32, n: i32, k: i32, a: usize, lda: i32,
  b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize,
): void {
  if (isOfFewColumns(transposeA, m, n, k))
    gemmOfFewColumns(transposeB, m, n, k, a, lda, b, ldb, c, ldc, accumulate, scratch);
  else if (isFarApart(transposeA, k, lda))
    gemmOfCopies(transposeB, m, n, k, a, lda, b, ldb, c, ldc, accumulate, scratch);
  else gemmOf(transposeA, transposeB, m, n, k, a, lda, b, ldb, c, ldc, accumulate, scratch);
}
