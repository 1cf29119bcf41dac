// One pass over a row that takes a number off and folds what is left.
import { BLOCK, dotOf, halves, loadPart, storePart, SUM, sumOf } from "../reduction/fold";
import { MINUS, over } from "./passes";

/** Σ out */
export const VALUES = 0;
/** Σ out² */
export const SQUARES = 1;

// @ts-ignore: decorator
@inline
function plus(fold: i32, sum: v128, value: v128): v128 {
  return f32x4.add(sum, fold == SQUARES ? f32x4.mul(value, value) : value);
}

/** out = x − a, and its fold in the order of every sum. */
// @ts-ignore: decorator
@inline
export function foldedMinus(fold: i32, x: usize, a: f32, out: usize, n: i32): f32 {
  if (n > BLOCK) {
    over(MINUS, x, x, x, a, out, n);
    return fold == SQUARES ? dotOf(out, out, n) : sumOf(out, n);
  }
  const less = f32x4.splat(a);
  const zero = f32x4.splat(0);
  let s0 = zero;
  let s1 = zero;
  let s2 = zero;
  let s3 = zero;
  for (const end = x + (<usize>(n & ~15) << 2); x < end; x += 64) {
    const v0 = f32x4.sub(v128.load(x), less);
    const v1 = f32x4.sub(v128.load(x, 16), less);
    const v2 = f32x4.sub(v128.load(x, 32), less);
    const v3 = f32x4.sub(v128.load(x, 48), less);
    v128.store(out, v0);
    v128.store(out, v1, 16);
    v128.store(out, v2, 32);
    v128.store(out, v3, 48);
    s0 = plus(fold, s0, v0);
    s1 = plus(fold, s1, v1);
    s2 = plus(fold, s2, v2);
    s3 = plus(fold, s3, v3);
    out += 64;
  }
  for (let done = 0, rest = n & 15; done < rest; done += 4) {
    const left = rest - done;
    let value = f32x4.sub(left < 4 ? loadPart(x, left, less) : v128.load(x), less);
    if (left < 4) {
      storePart(out, left, value);
      value = loadPart(out, left, zero);
    } else v128.store(out, value);
    if (done == 0) s0 = plus(fold, s0, value);
    else if (done == 4) s1 = plus(fold, s1, value);
    else if (done == 8) s2 = plus(fold, s2, value);
    else s3 = plus(fold, s3, value);
    x += 16;
    out += 16;
  }
  return halves(SUM, f32x4.add(f32x4.add(s0, s2), f32x4.add(s1, s3)));
}
