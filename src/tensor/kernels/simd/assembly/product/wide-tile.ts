import { storeTile } from "./tile";

/*
 * The tile that large products are made of: C `[4, 8]` (5 … 8 `columns` of it) = or += A·B over one block of
 * k. Each result has an accumulator of its own that starts at +0; products and sums are rounded one by one.
 * Strides are in bytes.
 *
 * Eight accumulators and the six vectors of one term leave one of x64's registers free. V8 moves all loads
 * of a straight piece of code to its front, which for two terms at once would take more registers than there
 * are; the exits between the four terms of a round keep each piece to one.
 */

/** The distance of terms in a B that is packed as panels `[k, 8]`, as a type: its size can stand in the instructions of a tile. */
@unmanaged
export class Packed {
  first: v128;
  second: v128;
}

/** The same for terms that are `step` bytes apart. */
@unmanaged
export class Apart {}

/** A stored by rows, `down` bytes apart. */
// @ts-ignore: decorator
@inline
export function wideOfRows<P>(
  k: i32, a0: usize, down: usize, b: usize, step: usize, c: usize, below: usize, columns: i32, add: bool,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  let x = c00, y0 = c00, y1 = c00;
  let a1 = a0 + down;
  let a2 = a1 + down;
  let a3 = a2 + down;
  for (let rest = k; rest > 0; rest -= 4) {
    y0 = v128.load(b);
    y1 = v128.load(b, 16);
    x = v128.load32_splat(a0);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a1);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a2);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a3);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    if (offsetof<P>() == 0) b += step;
    if (rest == 1) break;
    y0 = v128.load(b, offsetof<P>());
    y1 = v128.load(b, offsetof<P>() + 16);
    x = v128.load32_splat(a0, 4);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a1, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a2, 4);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a3, 4);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    if (offsetof<P>() == 0) b += step;
    if (rest == 2) break;
    y0 = v128.load(b, 2 * offsetof<P>());
    y1 = v128.load(b, 2 * offsetof<P>() + 16);
    x = v128.load32_splat(a0, 8);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a1, 8);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a2, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a3, 8);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    if (offsetof<P>() == 0) b += step;
    if (rest == 3) break;
    y0 = v128.load(b, 3 * offsetof<P>());
    y1 = v128.load(b, 3 * offsetof<P>() + 16);
    x = v128.load32_splat(a0, 12);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a1, 12);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a2, 12);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a3, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    b += offsetof<P>() == 0 ? step : 4 * offsetof<P>();
    a0 += 16;
    a1 += 16;
    a2 += 16;
    a3 += 16;
  }
  storeTile(4, 2, c, below, columns, add, c00, c01, c10, c11, c20, c21, c30, c31);
}

/** A stored by columns, `across` bytes apart: the four factors of a term are neighbours. */
// @ts-ignore: decorator
@inline
export function wideOfColumns<P>(
  k: i32, a: usize, across: usize, b: usize, step: usize, c: usize, below: usize, columns: i32, add: bool,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  let x = c00, y0 = c00, y1 = c00;
  for (let rest = k; rest > 0; rest -= 4) {
    y0 = v128.load(b);
    y1 = v128.load(b, 16);
    x = v128.load32_splat(a);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    if (offsetof<P>() == 0) b += step;
    a += across;
    if (rest == 1) break;
    y0 = v128.load(b, offsetof<P>());
    y1 = v128.load(b, offsetof<P>() + 16);
    x = v128.load32_splat(a);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    if (offsetof<P>() == 0) b += step;
    a += across;
    if (rest == 2) break;
    y0 = v128.load(b, 2 * offsetof<P>());
    y1 = v128.load(b, 2 * offsetof<P>() + 16);
    x = v128.load32_splat(a);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    if (offsetof<P>() == 0) b += step;
    a += across;
    if (rest == 3) break;
    y0 = v128.load(b, 3 * offsetof<P>());
    y1 = v128.load(b, 3 * offsetof<P>() + 16);
    x = v128.load32_splat(a);
    c00 = f32x4.add(c00, f32x4.mul(x, y0));
    c01 = f32x4.add(c01, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 4);
    c10 = f32x4.add(c10, f32x4.mul(x, y0));
    c11 = f32x4.add(c11, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 8);
    c20 = f32x4.add(c20, f32x4.mul(x, y0));
    c21 = f32x4.add(c21, f32x4.mul(x, y1));
    x = v128.load32_splat(a, 12);
    c30 = f32x4.add(c30, f32x4.mul(x, y0));
    c31 = f32x4.add(c31, f32x4.mul(x, y1));
    b += offsetof<P>() == 0 ? step : 4 * offsetof<P>();
    a += across;
  }
  storeTile(4, 2, c, below, columns, add, c00, c01, c10, c11, c20, c21, c30, c31);
}
