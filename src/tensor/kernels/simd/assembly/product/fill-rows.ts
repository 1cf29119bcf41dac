import { storeLanes } from "./tile";

/**
 * Each row of C `[m, n]`, `ldc` elements from one to the next, becomes a copy of `row`. Up to 12 bytes past the end of the row
 * are read.
 */
export function fillRows(m: i32, n: i32, row: usize, c: usize, ldc: i32): void {
  const whole = row + (<usize>(n & ~3) << 2);
  const below = <usize>ldc << 2;
  for (let i = 0; i < m; i++, c += below) {
    let to = c;
    let from = row;
    for (; from < whole; from += 16, to += 16) v128.store(to, v128.load(from));
    if (n & 3) storeLanes(to, v128.load(from), n & 3);
  }
}
