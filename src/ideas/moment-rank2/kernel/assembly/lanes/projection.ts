// P(H) = Σ_k ⟨E_k, H⟩ E_k of four matrices at a time. E `[count, 64]` is the same for all; sums begin at 0
// and go through the entries, and through k, in order.
import { MATRIX } from "./matrices";

/** Bytes of one E_k. */
const ELEMENT: usize = 256;

/** The moments of the matrices at `h`, `count` vectors. */
export function analyse(h: usize, basis: usize, count: i32, moments: usize): void {
  let k = 0;
  for (; k + 4 <= count; k += 4) {
    let m0 = f32x4.splat(0);
    let m1 = m0;
    let m2 = m0;
    let m3 = m0;
    for (let i: usize = 0; i < 64; i++) {
      const entry = v128.load(h + (i << 4));
      const e = basis + (i << 2);
      m0 = f32x4.add(m0, f32x4.mul(entry, v128.load32_splat(e)));
      m1 = f32x4.add(m1, f32x4.mul(entry, v128.load32_splat(e, 256)));
      m2 = f32x4.add(m2, f32x4.mul(entry, v128.load32_splat(e, 512)));
      m3 = f32x4.add(m3, f32x4.mul(entry, v128.load32_splat(e, 768)));
    }
    v128.store(moments, m0);
    v128.store(moments, m1, 16);
    v128.store(moments, m2, 32);
    v128.store(moments, m3, 48);
    moments += 64;
    basis += 4 * ELEMENT;
  }
  for (; k < count; k++) {
    let m = f32x4.splat(0);
    for (let i: usize = 0; i < 64; i++) {
      m = f32x4.add(m, f32x4.mul(v128.load(h + (i << 4)), v128.load32_splat(basis + (i << 2))));
    }
    v128.store(moments, m);
    moments += 16;
    basis += ELEMENT;
  }
}

/** The number of moments of a grid of three rows and columns or more: theirs stay in registers. */
const GRID: i32 = 4;

/** Entry i of Σ_k m_k E_k. */
// @ts-ignore: decorator
@inline
function synthesised(moments: usize, basis: usize, count: i32, i: usize): v128 {
  let sum = f32x4.splat(0);
  let e = basis + (i << 2);
  for (const end = moments + (<usize>count << 4); moments < end; moments += 16) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(moments), v128.load32_splat(e)));
    e += ELEMENT;
  }
  return sum;
}

/** The same of four moments, for the entry whose E_1 is at `e`. */
// @ts-ignore: decorator
@inline
function synthesisedFour(m0: v128, m1: v128, m2: v128, m3: v128, e: usize): v128 {
  let sum = f32x4.add(i32x4.splat(0), f32x4.mul(m0, v128.load32_splat(e)));
  sum = f32x4.add(sum, f32x4.mul(m1, v128.load32_splat(e, 256)));
  sum = f32x4.add(sum, f32x4.mul(m2, v128.load32_splat(e, 512)));
  return f32x4.add(sum, f32x4.mul(m3, v128.load32_splat(e, 768)));
}

/** out = X + Σ_k m_k E_k, X − it for a `sign` of −1, it alone for 0; `sign` is a constant where this is inlined. */
// @ts-ignore: decorator
@inline
function synthesise(sign: i32, x: usize, moments: usize, basis: usize, count: i32, out: usize): void {
  if (count == GRID) {
    const m0 = v128.load(moments);
    const m1 = v128.load(moments, 16);
    const m2 = v128.load(moments, 32);
    const m3 = v128.load(moments, 48);
    for (const end = out + MATRIX; out < end; out += 16) {
      const sum = synthesisedFour(m0, m1, m2, m3, basis);
      v128.store(out, sign == 0 ? sum : sign > 0 ? f32x4.add(v128.load(x), sum) : f32x4.sub(v128.load(x), sum));
      x += 16;
      basis += 4;
    }
  } else {
    for (let i: usize = 0; i < 64; i++) {
      const sum = synthesised(moments, basis, count, i);
      const entry = v128.load(x + (i << 4));
      v128.store(out + (i << 4), sign == 0 ? sum : sign > 0 ? f32x4.add(entry, sum) : f32x4.sub(entry, sum));
    }
  }
}

/** out = P(H); `moments` is room for `count` vectors. */
export function project(h: usize, basis: usize, count: i32, moments: usize, out: usize): void {
  analyse(h, basis, count, moments);
  synthesise(0, h, moments, basis, count, out);
}

/** out = H − P(H); may be `h` itself. */
export function remove(h: usize, basis: usize, count: i32, moments: usize, out: usize): void {
  analyse(h, basis, count, moments);
  synthesise(-1, h, moments, basis, count, out);
}

/** C ← C + P(H − C); `difference` is room for the matrices H − C. */
export function restore(
  c: usize,
  h: usize,
  basis: usize,
  count: i32,
  moments: usize,
  difference: usize,
): void {
  for (let i: usize = 0; i < MATRIX; i += 16) {
    v128.store(difference + i, f32x4.sub(v128.load(h + i), v128.load(c + i)));
  }
  analyse(difference, basis, count, moments);
  synthesise(1, c, moments, basis, count, c);
}
