import { storeTile } from "./tile";

/*
 * What the tiles of wide-tile.ts leave over: fewer than four rows, or one vector, which holds up to four
 * `columns`. `rows` and `vectors` are constants where a tile is inlined, so that what it does not need is
 * not compiled.
 */

/** A stored by rows, `down` bytes apart. */
// @ts-ignore: decorator
@inline
export function edgeOfRows(
  rows: i32, vectors: i32,
  k: i32, a0: usize, down: usize, b: usize, step: usize, c: usize, below: usize, columns: i32, add: bool,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  let a1 = a0 + down;
  let a2 = a1 + down;
  let a3 = a2 + down;
  for (let p = 0; p < k; p++) {
    const y0 = v128.load(b);
    const y1 = vectors == 2 ? v128.load(b, 16) : y0;
    let x = v128.load32_splat(a0);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    if (vectors == 2) c01 = f32x4.add(c01, f32x4.mul(x, y1));
    a0 += 4;
    if (rows > 1) {
      x = v128.load32_splat(a1);
      c10 = f32x4.add(c10, f32x4.mul(x, y0));
      if (vectors == 2) c11 = f32x4.add(c11, f32x4.mul(x, y1));
      a1 += 4;
    }
    if (rows > 2) {
      x = v128.load32_splat(a2);
      c20 = f32x4.add(c20, f32x4.mul(x, y0));
      if (vectors == 2) c21 = f32x4.add(c21, f32x4.mul(x, y1));
      a2 += 4;
    }
    if (rows > 3) {
      x = v128.load32_splat(a3);
      c30 = f32x4.add(c30, f32x4.mul(x, y0));
      if (vectors == 2) c31 = f32x4.add(c31, f32x4.mul(x, y1));
      a3 += 4;
    }
    b += step;
  }
  storeTile(rows, vectors, c, below, columns, add, c00, c01, c10, c11, c20, c21, c30, c31);
}

/** A stored by columns, `across` bytes apart: the four factors of a term are neighbours. */
// @ts-ignore: decorator
@inline
export function edgeOfColumns(
  rows: i32, vectors: i32,
  k: i32, a: usize, across: usize, b: usize, step: usize, c: usize, below: usize, columns: i32, add: bool,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  for (let p = 0; p < k; p++) {
    const y0 = v128.load(b);
    const y1 = vectors == 2 ? v128.load(b, 16) : y0;
    let x = v128.load32_splat(a);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    if (vectors == 2) c01 = f32x4.add(c01, f32x4.mul(x, y1));
    if (rows > 1) {
      x = v128.load32_splat(a, 4);
      c10 = f32x4.add(c10, f32x4.mul(x, y0));
      if (vectors == 2) c11 = f32x4.add(c11, f32x4.mul(x, y1));
    }
    if (rows > 2) {
      x = v128.load32_splat(a, 8);
      c20 = f32x4.add(c20, f32x4.mul(x, y0));
      if (vectors == 2) c21 = f32x4.add(c21, f32x4.mul(x, y1));
    }
    if (rows > 3) {
      x = v128.load32_splat(a, 12);
      c30 = f32x4.add(c30, f32x4.mul(x, y0));
      if (vectors == 2) c31 = f32x4.add(c31, f32x4.mul(x, y1));
    }
    b += step;
    a += across;
  }
  storeTile(rows, vectors, c, below, columns, add, c00, c01, c10, c11, c20, c21, c30, c31);
}
