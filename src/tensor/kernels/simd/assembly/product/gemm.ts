import { edgeOfColumns, edgeOfRows } from "./edge-tile";
import { packColumns, packTransposed } from "./pack";
import { Apart, Packed, wideOfColumns, wideOfRows } from "./wide-tile";

/** The sum over k is cut into blocks of this many terms; blocks are added in order. */
export const TERMS = 256;
/**
 * Rows of A that are gone through with one panel of B: 256 rows of a block are 256 KiB, and stay in the
 * second cache.
 */
export const ROWS = 256;
/** Bytes from term to term of a packed panel: eight numbers. */
const PACKED: usize = offsetof<Packed>();
/** The bytes of scratch that {@link gemmOf} packs one panel of B into. */
export const SCRATCH = TERMS * 8 * 4;

/** C `[m, columns]` = or += A·B for up to eight columns and one block of k, A stored by rows. */
function panelOfRows(
  m: i32, columns: i32, k: i32, a: usize, down: usize,
  b: usize, step: usize, c: usize, below: usize, add: bool,
): void {
  let i = 0;
  if (columns > 4) {
    if (step == PACKED) {
      for (; i + 4 <= m; i += 4, a += 4 * down, c += 4 * below)
        wideOfRows<Packed>(k, a, down, b, step, c, below, columns, add);
    } else {
      for (; i + 4 <= m; i += 4, a += 4 * down, c += 4 * below)
        wideOfRows<Apart>(k, a, down, b, step, c, below, columns, add);
    }
    if (m - i == 3) edgeOfRows(3, 2, k, a, down, b, step, c, below, columns, add);
    else if (m - i == 2) edgeOfRows(2, 2, k, a, down, b, step, c, below, columns, add);
    else if (m - i == 1) edgeOfRows(1, 2, k, a, down, b, step, c, below, columns, add);
  } else {
    for (; i + 4 <= m; i += 4, a += 4 * down, c += 4 * below)
      edgeOfRows(4, 1, k, a, down, b, step, c, below, columns, add);
    for (; i < m; i++, a += down, c += below) edgeOfRows(1, 1, k, a, down, b, step, c, below, columns, add);
  }
}

/** The same, A stored by columns. */
export function panelOfColumns(
  m: i32, columns: i32, k: i32, a: usize, across: usize,
  b: usize, step: usize, c: usize, below: usize, add: bool,
): void {
  let i = 0;
  if (columns > 4) {
    if (step == PACKED) {
      for (; i + 4 <= m; i += 4, a += 16, c += 4 * below)
        wideOfColumns<Packed>(k, a, across, b, step, c, below, columns, add);
    } else {
      for (; i + 4 <= m; i += 4, a += 16, c += 4 * below)
        wideOfColumns<Apart>(k, a, across, b, step, c, below, columns, add);
    }
    if (m - i == 3) edgeOfColumns(3, 2, k, a, across, b, step, c, below, columns, add);
    else if (m - i == 2) edgeOfColumns(2, 2, k, a, across, b, step, c, below, columns, add);
    else if (m - i == 1) edgeOfColumns(1, 2, k, a, across, b, step, c, below, columns, add);
  } else {
    for (; i + 4 <= m; i += 4, a += 16, c += 4 * below)
      edgeOfColumns(4, 1, k, a, across, b, step, c, below, columns, add);
    for (; i < m; i++, a += 4, c += below) edgeOfColumns(1, 1, k, a, across, b, step, c, below, columns, add);
  }
}

/**
 * C `[m, n]` = A·B, or C += A·B when `accumulate`. A is `[m, k]`, stored `[k, m]` when `transposeA`; B is
 * `[k, n]`, stored `[n, k]` when `transposeB`; `lda`, `ldb` and `ldc` are the elements from one stored row
 * to the next. Every form gives the same bits. `scratch` is the address of {@link SCRATCH} bytes; without
 * `transposeB` it may be 0, which then packs nothing. Up to 28 bytes past the end of B and of C may be read
 * (not written).
 */
export function gemmOf(
  transposeA: bool, transposeB: bool,
  m: i32, n: i32, k: i32, a: usize, lda: i32,
  b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize,
): void {
  const stepA = <usize>lda << 2;
  const stepB = <usize>ldb << 2;
  const below = <usize>ldc << 2;
  if (k == 0 && !accumulate) {
    for (let i = 0; i < m; i++) memory.fill(c + <usize>i * below, 0, <usize>n << 2);
    return;
  }
  for (let p = 0; p < k; p += TERMS) {
    const terms = min(TERMS, k - p);
    const add = accumulate || p > 0;
    const copy = scratch != 0 && m >= 32 && terms * ldb >= 8192;
    for (let i = 0; i < m; i += ROWS) {
      const rows = min(ROWS, m - i);
      const from = a + (<usize>(transposeA ? p * lda + i : i * lda + p) << 2);
      const to = c + <usize>i * below;
      for (let j = 0; j < n; j += 8) {
        const columns = min(8, n - j);
        let right = b + (<usize>(transposeB ? j * ldb + p : p * ldb + j) << 2);
        let step = stepB;
        if (transposeB) packTransposed(terms, right, stepB, columns, scratch);
        else if (copy) packColumns(terms, right, stepB, scratch);
        if (transposeB || copy) {
          right = scratch;
          step = 32;
        }
        const at = to + (<usize>j << 2);
        if (transposeA) panelOfColumns(rows, columns, terms, from, stepA, right, step, at, below, add);
        else panelOfRows(rows, columns, terms, from, stepA, right, step, at, below, add);
      }
    }
  }
}

/**
 * C `[m, n]` = A·B, or C += A·B when `accumulate`, all stored by rows; needs no scratch. See {@link gemmOf}.
 */
export function gemm(
  m: i32, n: i32, k: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool,
): void {
  gemmOf(false, false, m, n, k, a, lda, b, ldb, c, ldc, accumulate, 0);
}
