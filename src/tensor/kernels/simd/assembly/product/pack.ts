/**
 * Four rows of four numbers at `from`, `down` bytes apart, stored as columns at `to`, `below` bytes apart.
 */
// @ts-ignore: decorator
@inline
function transposeFour(r0: usize, r1: usize, r2: usize, r3: usize, to: usize, below: usize): void {
  const x0 = v128.load(r0);
  const x1 = v128.load(r1);
  const x2 = v128.load(r2);
  const x3 = v128.load(r3);
  const low01 = v128.shuffle<i32>(x0, x1, 0, 4, 1, 5);
  const high01 = v128.shuffle<i32>(x0, x1, 2, 6, 3, 7);
  const low23 = v128.shuffle<i32>(x2, x3, 0, 4, 1, 5);
  const high23 = v128.shuffle<i32>(x2, x3, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(low01, low23, 0, 2));
  v128.store(to + below, v128.shuffle<i64>(low01, low23, 1, 3));
  v128.store(to + 2 * below, v128.shuffle<i64>(high01, high23, 0, 2));
  v128.store(to + 3 * below, v128.shuffle<i64>(high01, high23, 1, 3));
}

/**
 * to `[columns, rows]` = the transpose of from `[rows, columns]`; `ldFrom` and `ldTo` are the elements from
 * one row to the next. Nothing outside of the matrices is read or written.
 */
export function transpose(rows: i32, columns: i32, from: usize, ldFrom: i32, to: usize, ldTo: i32): void {
  const down = <usize>ldFrom << 2;
  const below = <usize>ldTo << 2;
  const rows4 = rows & ~3;
  const columns4 = columns & ~3;
  for (let j = 0; j < columns4; j += 4) {
    const source = from + (<usize>j << 2);
    const target = to + <usize>j * below;
    let at = source;
    for (let i = 0; i < rows4; i += 4) {
      transposeFour(at, at + down, at + 2 * down, at + 3 * down, target + (<usize>i << 2), below);
      at += 4 * down;
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let j = i < rows4 ? columns4 : 0; j < columns; j++) {
      const value = load<f32>(from + <usize>i * down + (<usize>j << 2));
      store<f32>(to + <usize>j * below + (<usize>i << 2), value);
    }
  }
}

/** Copies k rows of eight neighbouring numbers of B, stored by rows, to a panel `[k, 8]`. */
export function packColumns(k: i32, b: usize, step: usize, panel: usize): void {
  const end = panel + (<usize>k << 5);
  while (panel < end) {
    v128.store(panel, v128.load(b));
    v128.store(panel, v128.load(b, 16), 16);
    b += step;
    panel += 32;
  }
}

/**
 * A panel `[k, 8]` of B stored by columns, `across` bytes apart; when there are fewer than eight the last
 * one stands in for the rest. Up to 12 bytes past a column are read, and up to three rows past the panel
 * written.
 */
export function packTransposed(k: i32, b: usize, across: usize, columns: i32, panel: usize): void {
  const last = b + <usize>(columns - 1) * across;
  let r0 = b;
  let r1 = min(r0 + across, last);
  let r2 = min(r1 + across, last);
  let r3 = min(r2 + across, last);
  let r4 = min(r3 + across, last);
  let r5 = min(r4 + across, last);
  let r6 = min(r5 + across, last);
  let r7 = min(r6 + across, last);
  for (let p = 0; p < k; p += 4) {
    transposeFour(r0, r1, r2, r3, panel, 32);
    if (columns > 4) transposeFour(r4, r5, r6, r7, panel + 16, 32);
    r0 += 16; r1 += 16; r2 += 16; r3 += 16;
    r4 += 16; r5 += 16; r6 += 16; r7 += 16;
    panel += 128;
  }
}
