// Passes over one row of n elements: out = f(x, y, z; a, b, c), four elements at a time.
import { loadPart, storePart } from "../reduction/fold";

/** x − a */
export const MINUS = 0;
/** x·a */
export const TIMES = 1;
/** x·y */
export const PRODUCT = 2;
/** x/a */
export const OVER = 3;
/** x − y·a */
export const MINUS_MULTIPLE = 4;
/** x·y − y·a */
export const WEIGHTED = 5;
/** x·y + z */
export const TIMES_PLUS = 6;
/** ((x − b) − y·c)·a */
export const BACK = 7;
/** (x − a) − b */
export const MINUS_TWICE = 8;

// @ts-ignore: decorator
@inline
function value(pass: i32, x: v128, y: v128, z: v128, a: v128, b: v128, c: v128): v128 {
  if (pass == MINUS) return f32x4.sub(x, a);
  if (pass == TIMES) return f32x4.mul(x, a);
  if (pass == PRODUCT) return f32x4.mul(x, y);
  if (pass == OVER) return f32x4.div(x, a);
  if (pass == MINUS_MULTIPLE) return f32x4.sub(x, f32x4.mul(y, a));
  if (pass == WEIGHTED) return f32x4.sub(f32x4.mul(x, y), f32x4.mul(y, a));
  if (pass == TIMES_PLUS) return f32x4.add(f32x4.mul(x, y), z);
  if (pass == BACK) return f32x4.mul(f32x4.sub(f32x4.sub(x, b), f32x4.mul(y, c)), a);
  return f32x4.sub(f32x4.sub(x, a), b);
}

// @ts-ignore: decorator
@inline
function takesTwo(pass: i32): bool {
  return pass == PRODUCT || pass == MINUS_MULTIPLE || pass == WEIGHTED || pass == TIMES_PLUS || pass == BACK;
}

/** One pass over a row; y and z are read only where the pass has them. */
// @ts-ignore: decorator
@inline
export function over(
  pass: i32,
  x: usize,
  y: usize,
  z: usize,
  a: f32,
  out: usize,
  n: i32,
  b: f32 = 0,
  c: f32 = 0,
): void {
  const first = f32x4.splat(a);
  const second = f32x4.splat(b);
  const third = f32x4.splat(c);
  for (const end = x + (<usize>(n & ~7) << 2); x < end; x += 32) {
    const p = v128.load(x);
    const q = v128.load(x, 16);
    const yp = takesTwo(pass) ? v128.load(y) : p;
    const yq = takesTwo(pass) ? v128.load(y, 16) : q;
    const zp = pass == TIMES_PLUS ? v128.load(z) : p;
    const zq = pass == TIMES_PLUS ? v128.load(z, 16) : q;
    v128.store(out, value(pass, p, yp, zp, first, second, third));
    v128.store(out, value(pass, q, yq, zq, first, second, third), 16);
    y += 32;
    z += 32;
    out += 32;
  }
  for (let left = n & 7; left > 0; left -= 4) {
    const p = left < 4 ? loadPart(x, left, first) : v128.load(x);
    const yp = takesTwo(pass) ? (left < 4 ? loadPart(y, left, first) : v128.load(y)) : p;
    const zp = pass == TIMES_PLUS ? (left < 4 ? loadPart(z, left, first) : v128.load(z)) : p;
    const result = value(pass, p, yp, zp, first, second, third);
    if (left < 4) storePart(out, left, result);
    else v128.store(out, result);
    x += 16;
    y += 16;
    z += 16;
    out += 16;
  }
}
