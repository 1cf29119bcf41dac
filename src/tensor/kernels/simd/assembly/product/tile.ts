/* How the tiles of wide-tile.ts and edge-tile.ts end: their sums are written to C. */

/** Writes the first `columns` lanes, four when there are more. */
// @ts-ignore: decorator
@inline
export function storeLanes(address: usize, value: v128, columns: i32): void {
  if (columns >= 4) {
    v128.store(address, value);
  } else if (columns == 1) {
    v128.store32_lane(address, value, 0);
  } else {
    v128.store64_lane(address, value, 0);
    if (columns == 3) v128.store32_lane(address, value, 2, 8);
  }
}

/**
 * Writes a tile of results, or adds it to what is there. `rows` (1 … 4) and `vectors` (1, 2) are constants
 * where this is inlined; lanes beyond `columns` may be read, up to 12 bytes of them, but are not written.
 */
// @ts-ignore: decorator
@inline
export function storeTile(
  rows: i32, vectors: i32, c: usize, below: usize, columns: i32, add: bool,
  c00: v128, c01: v128, c10: v128, c11: v128, c20: v128, c21: v128, c30: v128, c31: v128,
): void {
  const c1 = c + below;
  const c2 = c1 + below;
  const c3 = c2 + below;
  if (add) {
    c00 = f32x4.add(v128.load(c), c00);
    if (vectors == 2) c01 = f32x4.add(v128.load(c, 16), c01);
    if (rows > 1) c10 = f32x4.add(v128.load(c1), c10);
    if (rows > 1 && vectors == 2) c11 = f32x4.add(v128.load(c1, 16), c11);
    if (rows > 2) c20 = f32x4.add(v128.load(c2), c20);
    if (rows > 2 && vectors == 2) c21 = f32x4.add(v128.load(c2, 16), c21);
    if (rows > 3) c30 = f32x4.add(v128.load(c3), c30);
    if (rows > 3 && vectors == 2) c31 = f32x4.add(v128.load(c3, 16), c31);
  }
  if (columns == 4 * vectors) {
    v128.store(c, c00);
    if (vectors == 2) v128.store(c, c01, 16);
    if (rows > 1) v128.store(c1, c10);
    if (rows > 1 && vectors == 2) v128.store(c1, c11, 16);
    if (rows > 2) v128.store(c2, c20);
    if (rows > 2 && vectors == 2) v128.store(c2, c21, 16);
    if (rows > 3) v128.store(c3, c30);
    if (rows > 3 && vectors == 2) v128.store(c3, c31, 16);
    return;
  }
  storeLanes(c, c00, columns);
  if (vectors == 2) storeLanes(c + 16, c01, columns - 4);
  if (rows > 1) storeLanes(c1, c10, columns);
  if (rows > 1 && vectors == 2) storeLanes(c1 + 16, c11, columns - 4);
  if (rows > 2) storeLanes(c2, c20, columns);
  if (rows > 2 && vectors == 2) storeLanes(c2 + 16, c21, columns - 4);
  if (rows > 3) storeLanes(c3, c30, columns);
  if (rows > 3 && vectors == 2) storeLanes(c3 + 16, c31, columns - 4);
}
