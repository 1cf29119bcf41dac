import { gemm } from "../product/gemm";
import { packColumns, packTransposed } from "../product/pack";

/*
 * A weight that many products read is laid out once as panels `[k, 8]`, one after the other: eight neighbouring columns
 * of B, row by row. The last panel may be followed by 96 bytes that are written too.
 */

/** The panels of W_hhᵀ `[hidden, 3·hidden]`, from W_hh `[3·hidden, hidden]`. */
export function packForward(hidden: i32, weight: usize, panels: usize): void {
  const width = 3 * hidden;
  const down = <usize>hidden << 2;
  for (let j = 0; j < width; j += 8) {
    packTransposed(hidden, weight + <usize>j * down, down, min(8, width - j), panels);
    panels += 8 * down;
  }
}

/** The panels of W_hh `[3·hidden, hidden]`. Up to 28 bytes past its end are read. */
export function packBackward(hidden: i32, weight: usize, panels: usize): void {
  const down = <usize>hidden << 2;
  for (let j = 0; j < hidden; j += 8) {
    packColumns(3 * hidden, weight + (<usize>j << 2), down, panels);
    panels += 24 * down;
  }
}

/** C `[m, n]` = A·B, A `[m, k]`, B laid out as panels. */
export function timesPanels(m: i32, n: i32, k: i32, a: usize, panels: usize, c: usize): void {
  for (let j = 0; j < n; j += 8) {
    gemm(m, min(8, n - j), k, a, k, panels, 8, c + (<usize>j << 2), n, false);
    panels += <usize>k << 5;
  }
}
